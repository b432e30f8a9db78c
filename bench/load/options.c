#include "load/options.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "dns/protocol.h"
#include "dns/wire.h"
#include "load/id_table.h"
#include "system/command_line.h"

#define EDNS_UDP_PAYLOAD_BYTES 4096 /* what dnsperf announces */

/* Limits that keep sums inside their types and mistakes visible. */
#define MAX_SECONDS     (100.0 * 365 * 86400)
#define MAX_CLIENTS     65535
#define MAX_THREADS     1024
#define MAX_OUTSTANDING (UINT32_C(1) << 24)
#define MAX_BUFFER_KIB  (UINT32_C(1) << 20)
#define MIN_SECONDS     0.000001

enum long_option {
    OPTION_JSON = 256,
    OPTION_WARMUP,
    OPTION_SKIP_INVALID,
    OPTION_SCOPE,
    OPTION_VCPUS,
};

static const struct option long_options[] = {
    {"json", required_argument, NULL, OPTION_JSON},
    {"warmup", required_argument, NULL, OPTION_WARMUP},
    {"skip-invalid", no_argument, NULL, OPTION_SKIP_INVALID},
    {"scope", required_argument, NULL, OPTION_SCOPE},
    {"vcpus", required_argument, NULL, OPTION_VCPUS},
    COMMAND_LINE_COMMON,
};

static const char letters[] = ":a:b:c:d:DeE:f:hHl:m:n:p:q:s:S:t:T:vWx:";

static const char help_text[] =
    "Usage: dnscope load [OPTION]...\n"
    "Send DNS queries over UDP as fast as the server answers, and count the answers.\n"
    "The letters are dnsperf's.\n"
    "\n"
    "Server and input:\n"
    "  -s SERVER     address or host name (127.0.0.1)\n"
    "  -p PORT       its port (53)\n"
    "  -f FAMILY     inet, inet6 or any (any)\n"
    "  -m MODE       transport: udp\n"
    "  -a ADDRESS    local address to send from\n"
    "  -x PORT       first local port; each client takes the next (any)\n"
    "  -d FILE       queries, a \"NAME TYPE\" a line (standard input)\n"
    "  --skip-invalid\n"
    "                warn of invalid lines and send the others\n"
    "\n"
    "Load:\n"
    "  -c CLIENTS    sockets, over all threads (1)\n"
    "  -T THREADS    (1)\n"
    "  -q QUERIES    outstanding at a time, over all sockets (100)\n"
    "  -l SECONDS    stop after so long\n"
    "  -n RUNS       stop after so many times through the file (1 without -l)\n"
    "  -t SECONDS    a query without an answer is lost after so long (5)\n"
    "  -b KIB        socket buffers\n"
    "  --warmup SECONDS\n"
    "                send before the measured time, counted apart (0)\n"
    "  --scope SCOPE of the tool's own threads: process (libpscope) or system (the kernel's)\n"
    "  --vcpus N     virtual CPUs under process scope (as many as CPUs)\n"
    "\n"
    "Queries:\n"
    "  -e            with EDNS\n"
    "  -D            with the DO bit, and so EDNS\n"
    "  -E CODE:HEX   with this EDNS option; may be repeated\n"
    "\n"
    "Output:\n"
    "  -S SECONDS    queries per second of every interval\n"
    "  -v            one line a query\n"
    "  -W            warnings on standard output\n"
    "  --json FILE   the result as one JSON object; - is standard output, and the text\n"
    "                then goes to standard error\n"
    "  -h, -H, --help\n"
    "                this text\n"
    "  --version     the version\n"
    "\n"
    "Exit status: 0 statistics were printed, 1 usage or fatal, 2 the server refused every\n"
    "query, 130 interrupted before anything was measured.\n";

/* How an option is called in messages: "-q" or "--json". */
static const char *option_name(int option, char text[32])
{
    if (option < OPTION_JSON) {
        snprintf(text, 32, "-%c", option);
        return text;
    }
    for (const struct option *known = long_options; known->name != NULL; known++) {
        if (known->val == option) {
            snprintf(text, 32, "--%s", known->name);
        }
    }
    return text;
}

static int parse_count(int option, uint64_t min, uint64_t max, uint64_t *value, struct diag *diag)
{
    char name[32];
    int status = number_parse_u64(optarg, min, max, value);
    if (status == 0) {
        return 0;
    }
    return diag_fail(diag, status, NULL, 0, "%s %s: a number from %llu to %llu is right",
                     option_name(option, name), optarg, (unsigned long long)min,
                     (unsigned long long)max);
}

static int parse_u32(int option, uint32_t min, uint32_t max, uint32_t *value, struct diag *diag)
{
    uint64_t number = 0;
    int status = parse_count(option, min, max, &number, diag);
    if (status == 0) {
        *value = (uint32_t)number;
    }
    return status;
}

static int parse_port(int option, uint16_t min, uint16_t *value, struct diag *diag)
{
    uint64_t number = 0;
    int status = parse_count(option, min, UINT16_MAX, &number, diag);
    if (status == 0) {
        *value = (uint16_t)number;
    }
    return status;
}

static int parse_seconds(int option, double min, double *value, struct diag *diag)
{
    char name[32];
    int status = number_parse_decimal(optarg, min, MAX_SECONDS, value);
    if (status == 0) {
        return 0;
    }
    return diag_fail(diag, status, NULL, 0,
                     "%s %s: seconds from %s to %.10g are right, such as 5 or 0.25",
                     option_name(option, name), optarg, min > 0 ? "0.000001" : "0", MAX_SECONDS);
}

static int parse_family(struct load_options *options, struct diag *diag)
{
    static const struct {
        const char *name;
        int family;
    } families[] = {{"inet", AF_INET}, {"inet6", AF_INET6}, {"any", AF_UNSPEC}};
    for (size_t i = 0; i < ARRAY_LENGTH(families); i++) {
        if (strcmp(optarg, families[i].name) == 0) {
            options->family = families[i].family;
            return 0;
        }
    }
    return diag_fail(diag, ERR_SYNTAX, NULL, 0, "-f %s: inet, inet6 or any is right", optarg);
}

static int parse_mode(struct diag *diag)
{
    if (strcmp(optarg, "udp") == 0) {
        return 0;
    }
    return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0, "-m %s: udp is the only transport", optarg);
}

static int parse_scope(struct load_options *options, struct diag *diag)
{
    if (thread_scope_parse(optarg, &options->scope) == 0) {
        return 0;
    }
    return diag_fail(diag, ERR_SYNTAX, NULL, 0, "--scope %s: process or system is right", optarg);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Appends the octets that `hex` writes; false when it is not pairs of hexadecimal digits. */
static bool write_hex(struct wire_writer *writer, const char *hex)
{
    for (; *hex != '\0'; hex += 2) {
        int high = hex_digit(hex[0]);
        int low = high < 0 ? -1 : hex_digit(hex[1]);
        if (low < 0) {
            return false;
        }
        wire_write_u8(writer, (uint8_t)(high << 4 | low));
    }
    return true;
}

/* -E code:hex, one EDNS option more (RFC 6891 6.1.2: code, length, data). */
static int parse_edns_option(struct load_options *options, struct diag *diag)
{
    char code_text[16] = "";
    size_t code_length = strcspn(optarg, ":");
    const char *hex = optarg + code_length + 1;
    if (code_length < sizeof(code_text)) {
        memcpy(code_text, optarg, code_length);
    }
    uint64_t code;
    if (optarg[code_length] != ':' || number_parse_u64(code_text, 0, UINT16_MAX, &code) != 0) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0, "-E %s: CODE:HEX is right, as in 3: or 10:0102",
                         optarg);
    }
    size_t used = options->form.options_size_bytes;
    struct wire_writer writer =
        wire_writer_make(options->edns_options + used, sizeof(options->edns_options) - used);
    wire_write_u16(&writer, (uint16_t)code);
    wire_write_u16(&writer, (uint16_t)(strlen(hex) / 2));
    if (!write_hex(&writer, hex)) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "-E %s: pairs of hexadecimal digits after the colon are right", optarg);
    }
    if (writer.failed) {
        return diag_fail(diag, ERR_RANGE, NULL, 0, "-E: at most %d octets of EDNS options fit",
                         LOAD_EDNS_OPTIONS_MAX_BYTES);
    }
    options->form.edns = true;
    options->form.options_size_bytes = (uint16_t)(used + writer.at);
    return 0;
}

/* Letters that only set something; false when `option` is none of them. */
static bool apply_switch(int option, struct load_options *options)
{
    switch (option) {
    case 'D':
        options->form.edns = true;
        options->form.dnssec_ok = true;
        return true;
    case 'e':
        options->form.edns = true;
        return true;
    case 'v':
        options->verbose = true;
        return true;
    case 'W':
        options->warnings_on_stdout = true;
        return true;
    case OPTION_SKIP_INVALID:
        options->skip_invalid = true;
        return true;
    default:
        return false;
    }
}

static int parse_file_name(int option, const char **value, struct diag *diag)
{
    char name[32];
    *value = optarg;
    return optarg[0] != '\0'
               ? 0
               : diag_fail(diag, ERR_SYNTAX, NULL, 0,
                           "%s: a file name is missing; - is standard %s",
                           option_name(option, name), option == OPTION_JSON ? "output" : "input");
}

/* Letters whose argument is taken as it is; false when `option` is none of them. */
static bool apply_text(int option, struct load_options *options)
{
    switch (option) {
    case 'a':
        options->local_address = optarg;
        return true;
    case 's':
        options->server = optarg;
        return true;
    default:
        return false;
    }
}

static int apply_value(int option, struct load_options *options, struct diag *diag)
{
    switch (option) {
    case 'b':
        return parse_u32(option, 1, MAX_BUFFER_KIB, &options->buffer_kib, diag);
    case 'c':
        return parse_u32(option, 1, MAX_CLIENTS, &options->clients, diag);
    case 'd':
        return parse_file_name(option, &options->query_file, diag);
    case 'E':
        return parse_edns_option(options, diag);
    case 'f':
        return parse_family(options, diag);
    case 'l':
        return parse_seconds(option, MIN_SECONDS, &options->time_limit_s, diag);
    case 'm':
        return parse_mode(diag);
    case 'n':
        return parse_count(option, 1, UINT32_MAX, &options->runs, diag);
    case 'p':
        return parse_port(option, 1, &options->port, diag);
    case 'q':
        return parse_u32(option, 1, MAX_OUTSTANDING, &options->outstanding, diag);
    case 'S':
        return parse_seconds(option, MIN_SECONDS, &options->interval_s, diag);
    case 't':
        return parse_seconds(option, MIN_SECONDS, &options->timeout_s, diag);
    case 'T':
        return parse_u32(option, 1, MAX_THREADS, &options->threads, diag);
    case 'x':
        return parse_port(option, 0, &options->local_port, diag);
    case OPTION_JSON:
        return parse_file_name(option, &options->json_path, diag);
    case OPTION_SCOPE:
        return parse_scope(options, diag);
    case OPTION_VCPUS:
        return parse_u32(option, 1, LAUNCH_VCPUS_MAX, &options->vcpus, diag);
    default:
        return parse_seconds(OPTION_WARMUP, 0, &options->warmup_s, diag);
    }
}

static int apply_option(int option, struct load_options *options, struct diag *diag)
{
    if (apply_switch(option, options) || apply_text(option, options)) {
        return 0;
    }
    return apply_value(option, options, diag);
}

/* What one option means for another. */
static int complete(struct load_options *options, struct diag *diag)
{
    if (options->runs == 0 && options->time_limit_s == 0) {
        options->runs = 1;
    }
    if (options->vcpus != 0 && options->scope != THREAD_SCOPE_PROCESS) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "--vcpus %u: virtual CPUs belong to --scope process", options->vcpus);
    }
    if (options->local_port != 0 && options->local_port + options->clients - 1 > UINT16_MAX) {
        return diag_fail(diag, ERR_RANGE, NULL, 0,
                         "-x %u -c %u: the last client's port would be above 65535",
                         options->local_port, options->clients);
    }
    if (options->outstanding > (uint64_t)options->clients * ID_TABLE_MAX_SLOTS) {
        return diag_fail(diag, ERR_RANGE, NULL, 0,
                         "-q %u -c %u: a client has %u message IDs; at least %u clients are right",
                         options->outstanding, options->clients, ID_TABLE_MAX_SLOTS,
                         (options->outstanding - 1) / ID_TABLE_MAX_SLOTS + 1);
    }
    return 0;
}

int load_options_parse(int argc, char **argv, struct load_options *options, struct diag *diag)
{
    *options = (struct load_options){
        .server = "127.0.0.1",
        .port = DNS_PORT,
        .family = AF_UNSPEC,
        .query_file = "-",
        .clients = 1,
        .threads = 1,
        .outstanding = 100,
        .timeout_s = 5,
        .form = {.recursion_desired = true, .udp_payload_bytes = EDNS_UDP_PAYLOAD_BYTES},
    };
    options->form.options = options->edns_options;
    static const struct command_line line = {help_text, letters, long_options};
    int option;
    command_line_begin();
    while ((option = command_line_next(&line, argc, argv, diag)) != COMMAND_LINE_END) {
        if (option == COMMAND_LINE_ANSWERED) {
            options->answered = true;
            return 0;
        }
        int status =
            option == COMMAND_LINE_WRONG ? diag->code : apply_option(option, options, diag);
        if (status != 0) {
            return status;
        }
    }
    if (optind < argc) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "unexpected argument \"%s\"; every value stands after its option",
                         argv[optind]);
    }
    return complete(options, diag);
}
