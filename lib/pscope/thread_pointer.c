#include "pscope/thread_pointer.h"

#include <sys/auxv.h>

#define HWCAP2_FSGSBASE 2 /* Linux: arch/x86/include/uapi/asm/hwcap2.h */

bool thread_pointer_fsgsbase;

void thread_pointer_start(void)
{
    thread_pointer_fsgsbase = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
}
