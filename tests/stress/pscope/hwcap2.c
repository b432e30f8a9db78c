/*
 * Preloaded beside libpscope: AT_HWCAP2 is what VALIDATOR_HWCAP2 says. On x86-64 its bit 1 allows
 * the instruction that sets the thread pointer, so that a machine that has it takes the other way
 * ("0"), or an emulator that does not tell takes this one ("2").
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/auxv.h>

unsigned long getauxval(unsigned long type)
{
    const char *text = getenv("VALIDATOR_HWCAP2");
    unsigned long (*real)(unsigned long);

    if (type == AT_HWCAP2 && text)
        return strtoul(text, NULL, 0);
    *(void **)&real = dlsym(RTLD_NEXT, "getauxval");
    return real(type);
}
