/* Barriers wait at home, in glibc's own object; spin locks give the carrier away. */
#include <errno.h>

#include "pscope/carrier.h"
#include "pscope/home.h"
#include "pscope/process.h"
#include "pscope/real.h"

#define SPINS 100

INTERPOSE int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    return AT_HOME(int, REAL(pthread_barrier_wait)(barrier));
}

INTERPOSE int pthread_spin_lock(pthread_spinlock_t *lock)
{
    unsigned spins = 0;

    if (!uthread_aboard)
        return REAL(pthread_spin_lock)(lock);
    while (REAL(pthread_spin_trylock)(lock))
        if (++spins % SPINS == 0 || vcpus_count() == 1)
            carrier_yield(uthread_aboard);
    return 0;
}
