#include "system/option_error.h"

#include <getopt.h>
#include <string.h>

#include "core/error.h"

int option_fail(int result, char *const *argv, struct diag *diag)
{
    /* A long option has been stepped over; of a cluster of letters only optopt tells which. */
    const char *word = argv[optind - 1];
    char letter[3] = {'-', (char)optopt, '\0'};
    if (strncmp(word, "--", 2) != 0 && optopt != 0) {
        word = letter;
    }
    if (result == ':') {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "%s: a value is missing after %s; dnscope %s --help lists the options",
                         argv[0], word, argv[0]);
    }
    return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                     "%s: wrong option %s; dnscope %s --help lists the options", argv[0], word,
                     argv[0]);
}
