#include "pscope/real.h"

struct real_functions real_functions;

/* ISO C has no conversion from an object pointer to a function pointer; POSIX' dlsym() needs it. */
#define LOOK_UP(name)            *(void **)&real_functions.name = dlsym(RTLD_NEXT, #name);
#define LOOK_UP_V(name, version) *(void **)&real_functions.name = dlvsym(RTLD_NEXT, #name, version);

void real_lookup(void)
{
    REAL_FUNCTIONS(LOOK_UP, LOOK_UP_V)
    /* Two threads may both look up; they store the same pointers. */
    __atomic_store_n(&real_functions.ready, true, __ATOMIC_RELEASE);
}
