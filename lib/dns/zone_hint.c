#include "dns/zone_hint.h"

#include <stddef.h>

#include "core/attributes.h"

static const struct {
    uint16_t type;
    const char *form;
} hints[] = {
    {1, "an IPv4 address (192.0.2.1)"},                                 /* A, RFC 1035 */
    {2, "a server's name (ns.example.com.)"},                           /* NS, RFC 1035 */
    {5, "the canonical name (www.example.com.)"},                       /* CNAME, RFC 1035 */
    {6, "primary, mailbox, serial, refresh, retry, expire and minimum " /* SOA, RFC 1035 */
        "(ns.example.com. admin.example.com. 1 3600 900 604800 300)"},
    {12, "a domain name (host.example.com.)"},                             /* PTR, RFC 1035 */
    {13, "CPU and operating system (\"PC\" \"Linux\")"},                   /* HINFO, RFC 1035 */
    {15, "preference and mail server (10 mail.example.com.)"},             /* MX, RFC 1035 */
    {16, "strings of at most 255 octets each (\"v=spf1 -all\")"},          /* TXT, RFC 1035 */
    {17, "mailbox and a name with TXT records (admin.example.com. .)"},    /* RP, RFC 1183 */
    {28, "an IPv6 address (2001:db8::1)"},                                 /* AAAA, RFC 3596 */
    {29, "latitude, longitude and altitude (52 22 23 N 4 53 32 E 2m)"},    /* LOC, RFC 1876 */
    {33, "priority, weight, port and server (0 5 5060 sip.example.com.)"}, /* SRV, RFC 2782 */
    {35, "order, preference, flags, service, expression and replacement "  /* NAPTR, RFC 3403 */
         "(100 10 \"u\" \"E2U+sip\" \"!^.*$!sip:a@example.com!\" .)"},
    {39, "a domain name (example.net.)"}, /* DNAME, RFC 6672 */
    {43, "key tag, algorithm, digest type and digest in hex (60485 13 2 ab...)"}, /* DS, RFC 4034 */
    {44, "algorithm, type and fingerprint in hex (4 2 ab...)"},              /* SSHFP, RFC 4255 */
    {46, "type covered, algorithm, labels, TTL, expiration, inception, key " /* RRSIG, RFC 4034 */
         "tag, signer and signature in base64"},
    {47, "next name and types (b.example.com. A RRSIG NSEC)"}, /* NSEC, RFC 4034 */
    {48,
     "flags, protocol 3, algorithm and key in base64 (257 3 13 AwEA...)"}, /* DNSKEY, RFC 4034 */
    {50, "algorithm, flags, iterations, salt, next hash and types"},       /* NSEC3, RFC 5155 */
    {51, "algorithm, flags, iterations and salt (1 0 0 -)"},               /* NSEC3PARAM */
    {52, "usage, selector, matching type and data in hex (3 1 1 ab...)"},  /* TLSA, RFC 6698 */
    {64, "priority, target and parameters (1 . alpn=h2)"},                 /* SVCB, RFC 9460 */
    {65, "priority, target and parameters (1 . alpn=h2)"},                 /* HTTPS, RFC 9460 */
    {99, "strings of at most 255 octets each (\"v=spf1 -all\")"},          /* SPF, RFC 7208 */
    {256, "priority, weight and target (10 1 \"https://example.com/\")"},  /* URI, RFC 7553 */
    {257, "flags, tag and value (0 issue \"ca.example.net\")"},            /* CAA, RFC 8659 */
};

const char *zone_hint_rdata(uint16_t type)
{
    for (size_t i = 0; i < ARRAY_LENGTH(hints); i++) {
        if (hints[i].type == type) {
            return hints[i].form;
        }
    }
    return "its data, or \\# LENGTH and so many octets in hex digits (RFC 3597)";
}
