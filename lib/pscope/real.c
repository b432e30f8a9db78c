#include "pscope/real.h"

struct real_functions real_functions;
struct libc_functions libc_functions = {clock_gettime, clone, NULL};

/* ISO C has no conversion from an object pointer to a function pointer; POSIX' dlsym() needs it. */
#define LOOK_UP(name)            *(void **)&real_functions.name = dlsym(RTLD_NEXT, #name);
#define LOOK_UP_V(name, version) *(void **)&real_functions.name = look_up_version(#name, version);

/* Processors that glibc came to later have one version of each function, of a later number. */
static void *look_up_version(const char *name, const char *version)
{
    void *function = dlvsym(RTLD_NEXT, name, version);

    return function ? function : dlsym(RTLD_NEXT, name);
}

void real_lookup(void)
{
    REAL_FUNCTIONS(LOOK_UP, LOOK_UP_V)
    /* Two threads may both look up; they store the same pointers. */
    __atomic_store_n(&real_functions.ready, true, __ATOMIC_RELEASE);
}

void real_find_libc(void)
{
    void *libc = REAL(dlopen)("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

    libc_functions.sigaction = REAL(sigaction);
    if (!libc)
        return;
    *(void **)&libc_functions.clock_gettime = dlsym(libc, "clock_gettime");
    *(void **)&libc_functions.clone = dlsym(libc, "clone");
    *(void **)&libc_functions.sigaction = dlsym(libc, "sigaction");
}
