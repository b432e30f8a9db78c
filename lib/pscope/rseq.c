#include "pscope/rseq.h"

#include <stddef.h>
#include <sys/auxv.h>
#include <sys/rseq.h>

#include "pscope/sys.h"
#include "pscope/thread_pointer.h"

#ifndef AT_RSEQ_FEATURE_SIZE
#define AT_RSEQ_FEATURE_SIZE 27
#endif
#define RSEQ_ORIGINAL_SIZE 32

void rseq_disable(void)
{
    /* glibc 2.36 registers 32 bytes; later ones what the kernel names, rounded up. */
    unsigned long feature = (getauxval(AT_RSEQ_FEATURE_SIZE) + 31) & ~31UL;
    unsigned long sizes[] = {RSEQ_ORIGINAL_SIZE, feature};
    uintptr_t area = thread_pointer_get() + (uintptr_t)__rseq_offset;
    size_t i;

    if (__rseq_size == 0)
        return;
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sys_4(SYS_rseq, area, sizes[i], RSEQ_FLAG_UNREGISTER, RSEQ_SIG) == 0)
            return;
}
