#include <poll.h>

#include "core/clock.h"
#include "core/error.h"
#include "sweep/watch.h"
#include "system/interrupt.h"

#define TICK_NS (500 * NS_PER_MS)

/* A target that is gone is found by its descriptor; the record does without its sample. */
static void take_sample(const struct watch *watch, struct watch_sample *sample)
{
    struct diag ignored = {0};
    sample->at_ns = clock_monotonic_ns();
    if (host_sample_read(&sample->host, &ignored) == 0) {
        sample->valid = proc_sample_read(watch->target->pid, &sample->target, &ignored) == 0;
    }
}

/* Takes the sample whose moment has come, if any; the last one no later than the load's end. */
static void take_due_sample(struct watch *watch, uint64_t now_ns, bool load_ended)
{
    if (watch->first.at_ns == 0) {
        if (now_ns >= watch->begin_ns + watch->warmup_ns && !load_ended) {
            take_sample(watch, &watch->first);
        }
    } else if (watch->last.at_ns == 0) {
        if (load_ended || now_ns >= watch->begin_ns + watch->warmup_ns + watch->measure_ns) {
            take_sample(watch, &watch->last);
        }
    }
}

/* When the next sample is due. */
static uint64_t next_sample_ns(const struct watch *watch)
{
    uint64_t first_ns = watch->begin_ns + watch->warmup_ns;
    if (watch->first.at_ns == 0) {
        return first_ns;
    }
    return watch->last.at_ns == 0 ? first_ns + watch->measure_ns : UINT64_MAX;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Until whichever comes first: an end, a signal, or `until_ns`. */
static int wait_until(struct watch *watch, uint64_t until_ns, bool *load_ended)
{
    struct pollfd fds[] = {
        {.fd = watch->load->pid_fd, .events = POLLIN},
        {.fd = watch->target->pid_fd, .events = POLLIN},
        {.fd = interrupt_fd(), .events = POLLIN},
    };
    uint64_t now_ns = clock_monotonic_ns();
    uint64_t left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    struct timespec timeout = {(time_t)(left_ns / NS_PER_S), (long)(left_ns % NS_PER_S)};
    ppoll(fds, ARRAY_LENGTH(fds), &timeout, NULL);
    if (interrupt_pending()) {
        return ERR_INTERRUPTED;
    }
    *load_ended = fds[0].revents != 0;
    if (fds[1].revents != 0) {
        watch->target_died = true;
        return ERR_TARGET;
    }
    return 0;
}

int watch_run(struct watch *watch, struct diag *diag)
{
    uint64_t limit_ns = watch->begin_ns + watch->limit_ns;
    uint64_t tick_ns = watch->begin_ns + TICK_NS;
    bool load_ended = false;
    while (!load_ended) {
        uint64_t until_ns = earlier(earlier(next_sample_ns(watch), tick_ns), limit_ns);
        int status = wait_until(watch, until_ns, &load_ended);
        if (status != 0) {
            return diag_fail(diag, status, NULL, 0, "%s", error_string(status));
        }
        uint64_t now_ns = clock_monotonic_ns();
        take_due_sample(watch, now_ns, load_ended);
        if (now_ns >= tick_ns) {
            tick_ns = now_ns + TICK_NS;
            if (watch->tick != NULL) {
                watch->tick(watch->context, (double)(now_ns - watch->begin_ns) / (double)NS_PER_S);
            }
        }
        if (now_ns >= limit_ns && !load_ended) {
            return diag_fail(diag, ERR_TIMEOUT, NULL, 0, "the load tool does not end");
        }
    }
    return 0;
}

void watch_free(struct watch *watch)
{
    proc_sample_free(&watch->first.target);
    proc_sample_free(&watch->last.target);
}
