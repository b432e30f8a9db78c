/* Any datagram can be judged; what is accepted has QR and, with a question, as many octets as it.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/check.h"
#include "dns/protocol.h"
#include "dns/response_check.h"
#include "dns/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t query[] = "\0\0\1\0\0\1\0\0\0\0\0\0\3Www\7example\3com\0\0\1\0\1";
    size_t query_size = sizeof(query) - 1;
    if (response_check(query, query_size, data, size) == RESPONSE_ACCEPTED) {
        CHECK(size >= DNS_HEADER_BYTES);
        CHECK(wire_get_u16(data + 2) & DNS_FLAG_QR);
        CHECK(wire_get_u16(data + 4) == 0 || size >= query_size);
    }
    return 0;
}
