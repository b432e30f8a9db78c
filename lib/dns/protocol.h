/*
 * Numbers of the DNS protocol, in the terms of RFC 9499. Source: RFC 1035 section 4.1 unless a
 * line says otherwise; the registries are IANA's "Domain Name System (DNS) Parameters".
 */
#ifndef DNS_PROTOCOL_H
#define DNS_PROTOCOL_H

#define DNS_PORT              53
#define DNS_HEADER_BYTES      12
#define DNS_LABEL_MAX_BYTES   63  /* RFC 1035 2.3.4 */
#define DNS_NAME_MAX_BYTES    255 /* on the wire, root label included (RFC 1035 2.3.4) */
#define DNS_NAME_MAX_LABELS   128 /* root included: 127 labels of one octet and the root */
#define DNS_UDP_MAX_BYTES     512 /* without EDNS (RFC 1035 4.2.1) */
#define DNS_MESSAGE_MAX_BYTES 65535

/* Octets of the header's second and third 16-bit fields. */
#define DNS_FLAG_QR 0x8000u
#define DNS_FLAG_AA 0x0400u
#define DNS_FLAG_TC 0x0200u
#define DNS_FLAG_RD 0x0100u
#define DNS_FLAG_RA 0x0080u
#define DNS_FLAG_AD 0x0020u /* RFC 4035 3.2.3 */
#define DNS_FLAG_CD 0x0010u /* RFC 4035 3.2.2 */

#define DNS_OPCODE_SHIFT 11
#define DNS_OPCODE_MASK  0x7800u
#define DNS_RCODE_MASK   0x000fu

enum dns_opcode { DNS_OPCODE_QUERY = 0, DNS_OPCODE_NOTIFY = 4, DNS_OPCODE_UPDATE = 5 };

enum dns_rcode {
    DNS_RCODE_NOERROR = 0,
    DNS_RCODE_FORMERR = 1,
    DNS_RCODE_SERVFAIL = 2,
    DNS_RCODE_NXDOMAIN = 3,
    DNS_RCODE_NOTIMP = 4,
    DNS_RCODE_REFUSED = 5,
    DNS_RCODE_YXDOMAIN = 6, /* RFC 6672 2.2 */
    DNS_RCODE_NOTAUTH = 9,  /* RFC 2136 2.2, RFC 5936 2.2.1 */
    DNS_RCODE_BADVERS = 16, /* RFC 6891 9; its upper octet travels in the OPT record */
};

enum dns_type {
    DNS_TYPE_A = 1,
    DNS_TYPE_NS = 2,
    DNS_TYPE_CNAME = 5,
    DNS_TYPE_SOA = 6,
    DNS_TYPE_PTR = 12,
    DNS_TYPE_MX = 15,
    DNS_TYPE_TXT = 16,
    DNS_TYPE_AAAA = 28,
    DNS_TYPE_SRV = 33,
    DNS_TYPE_DNAME = 39, /* RFC 6672 */
    DNS_TYPE_OPT = 41,   /* RFC 6891 */
    DNS_TYPE_DS = 43,    /* RFC 4034 5 */
    DNS_TYPE_RRSIG = 46, /* RFC 4034 3 */
    DNS_TYPE_IXFR = 251, /* RFC 1995 */
    DNS_TYPE_AXFR = 252, /* RFC 5936 */
    DNS_TYPE_ANY = 255,
};

enum dns_class {
    DNS_CLASS_IN = 1,
    DNS_CLASS_CH = 3,
    DNS_CLASS_HS = 4,
    DNS_CLASS_NONE = 254,
    DNS_CLASS_ANY = 255
};

#endif
