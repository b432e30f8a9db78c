#include "pscope/preempt.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <ucontext.h>

#include "pscope/carrier.h"
#include "pscope/home.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"

/* glibc's own way of giving a real-time signal away for good: 0 asks for the least urgent one. */
int __libc_allocate_rtsig(int high);

/* Code that must not be left: from `begin` up to but not including `end`. */
struct range {
    uintptr_t begin, end;
};
#define RANGES_MAX 16

/* Why globals: one signal a process; the ranges do not change while libc stays loaded. */
static int signo;
static struct range ranges[RANGES_MAX];
static unsigned range_count;

static bool forbidden(uintptr_t pc)
{
    unsigned i;

    for (i = 0; i < range_count; i++)
        if (pc >= ranges[i].begin && pc < ranges[i].end)
            return true;
    return false;
}

/*
 * glibc's handler decides by the place that was interrupted (and, before 2.41, by a mark in the
 * thread) whether a cancellation point of libc's own is to be left, and then does not return. It
 * takes what it would be told of its own signal.
 */
static void cancel_inside_libc(ucontext_t *interrupted)
{
    struct kernel_sigaction {
        void (*handler)(int, siginfo_t *, void *);
        unsigned long flags;
        void (*restorer)(void);
        uint64_t mask;
    } action;
    siginfo_t info = {.si_signo = SIGNAL_CANCEL, .si_code = SI_TKILL};

    info.si_pid = (pid_t)sys_0(SYS_getpid);
    if (sys_4(SYS_rt_sigaction, SIGNAL_CANCEL, NULL, &action, sizeof action.mask) == 0 &&
        (action.flags & SA_SIGINFO) && action.handler)
        action.handler(SIGNAL_CANCEL, &info, interrupted);
}

static void handle(int number, siginfo_t *info, void *context)
{
    struct carrier *carrier = info->si_value.sival_ptr;
    ucontext_t *interrupted = context;
    int saved;

    (void)number;
    if (info->si_code != SI_QUEUE || !carrier)
        return;
    atomic_store(&carrier->kicked, false);
    credentials_apply(&carrier->credentials);
    /* While it schedules, the thread pointer may be anybody's: nothing thread-local before this. */
    if (atomic_load(&carrier->state) == CARRIER_SCHEDULING)
        return;
    if (uthread_attention(carrier->running) & ATTENTION_CANCEL)
        cancel_inside_libc(interrupted);
    if (forbidden(machine_program_counter(interrupted)))
        return;
    if (uthread_attention(carrier->running) & ATTENTION_SIGNAL) {
        /* It computes and would not look up: POSIX has signals delivered to running threads. */
        saved = errno;
        home_attend(carrier->running, false);
        errno = saved;
        return;
    }
    if (process_config()->quantum_us == 0)
        return; /* who was kicked for a signal is gone */
    carrier->vcpu->counters.preemptions++;
    carrier_yield(carrier->running);
}

static void add_range(uintptr_t begin, uintptr_t end)
{
    if (range_count < RANGES_MAX)
        ranges[range_count++] = (struct range){begin, end};
}

/* Whether the object that `info` describes holds the code at `address`. */
static bool holds(const struct dl_phdr_info *info, uintptr_t address)
{
    unsigned i;

    for (i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];

        if (header->p_type == PT_LOAD && address >= info->dlpi_addr + header->p_vaddr &&
            address < info->dlpi_addr + header->p_vaddr + header->p_memsz)
            return true;
    }
    return false;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *argument)
{
    /* Some address in each: libc, the loader, the vDSO, this library. */
    const uintptr_t inside[] = {(uintptr_t)REAL(raise), getauxval(AT_BASE),
                                getauxval(AT_SYSINFO_EHDR), (uintptr_t)handle};
    unsigned i, k;

    (void)size;
    (void)argument;
    for (i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        if (!inside[i] || !holds(info, inside[i]))
            continue;
        for (k = 0; k < info->dlpi_phnum; k++) {
            const ElfW(Phdr) *header = &info->dlpi_phdr[k];

            if (header->p_type == PT_LOAD && header->p_flags & PF_X)
                add_range(info->dlpi_addr + header->p_vaddr,
                          info->dlpi_addr + header->p_vaddr + header->p_memsz);
        }
    }
    return 0;
}

/* The signal to one kernel thread of this process; `carrier` NULL: the handler does nothing. */
static long send_signal(long tid, struct carrier *carrier)
{
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_signo = signo;
    info.si_code = SI_QUEUE;
    info.si_value.sival_ptr = carrier;
    return sys_4(SYS_rt_tgsigqueueinfo, sys_0(SYS_getpid), tid, signo, &info);
}

/* Emulators take a handler for every number but send fewer signals: it is tried. */
static bool handle_signal(const struct sigaction *action)
{
    return libc_functions.sigaction(signo, action, NULL) == 0 &&
           send_signal(sys_0(SYS_gettid), NULL) == 0;
}

uint64_t preempt_start(void)
{
    /* SA_NODEFER: the handler leaves by a switch, and the carrier goes on without returning. */
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};

    if (signo)
        return preempt_signal();
    dl_iterate_phdr(add_object, NULL);
    do
        signo = __libc_allocate_rtsig(0);
    while (signo > 0 && !handle_signal(&action));
    signo = signo > 0 ? signo : 0;
    return preempt_signal();
}

uint64_t preempt_signal(void)
{
    return signo ? SIGNAL_BIT(signo) : 0;
}

void preempt_kick(struct carrier *carrier)
{
    /* One at a time: a carrier that waits for its CPU would take them all at once, nested. */
    if (atomic_exchange(&carrier->kicked, true))
        return;
    if (send_signal(carrier->tid, carrier) < 0)
        atomic_store(&carrier->kicked, false);
}
