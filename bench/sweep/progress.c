#include "sweep/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/clock.h"
#include "sweep/dry_run.h"

#define CLEAR_LINE "\r\033[K"
#define YELLOW     "\033[33m"
#define PLAIN      "\033[0m"

void progress_init(struct progress *progress, FILE *out, size_t total, size_t done, double run_s,
                   int name_width)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    bool live = isatty(fileno(out)) && (term == NULL || term[0] != 'd' /* dumb */);
    *progress = (struct progress){
        .out = out,
        .live = live,
        .colour = live && (no_color == NULL || no_color[0] == '\0'),
        .total = total,
        .done = done,
        .done_first = done,
        .begin_ns = clock_monotonic_ns(),
        .run_s = run_s,
        .name_width = name_width,
    };
}

/* Seconds for what is left, by the mean of the runs so far. */
static double time_left_s(const struct progress *progress)
{
    size_t made = progress->done - progress->done_first;
    double spent_s = (double)(clock_monotonic_ns() - progress->begin_ns) / (double)NS_PER_S;
    double run_s = made > 0 ? spent_s / (double)made : progress->run_s;
    return run_s * (double)(progress->total - progress->done);
}

void progress_clear(const struct progress *progress)
{
    if (progress->live) {
        fputs(CLEAR_LINE, progress->out);
        fflush(progress->out);
    }
}

void progress_step(const struct progress *progress, const char *setup, const char *step, double qps)
{
    if (!progress->live) {
        return;
    }
    char left[DURATION_TEXT_SIZE];
    duration_format(time_left_s(progress), left);
    fprintf(progress->out, CLEAR_LINE "[%zu/%zu] %s: %s", progress->done + 1, progress->total,
            setup, step);
    if (qps >= 0) {
        fprintf(progress->out, ", %.0f qps", qps);
    }
    fprintf(progress->out, ", ETA %s", left);
    fflush(progress->out);
}

void progress_flush(struct progress *progress)
{
    bool failed = fflush(progress->out) != 0;
    if (failed && progress->write_errno == 0) {
        progress->write_errno = errno;
    }
}

void progress_run(struct progress *progress, const char *setup, const struct run_summary *run)
{
    char left[DURATION_TEXT_SIZE];
    progress_clear(progress);
    progress->done++;
    int digits = snprintf(NULL, 0, "%zu", progress->total);
    fprintf(progress->out, "[%*zu/%zu] block %u  %-*s  %10.1f qps  p99 %7.3f ms", digits,
            progress->done, progress->total, run->block, progress->name_width, setup, run->qps,
            run->p99_us / 1000);
    if (progress->done < progress->total) {
        duration_format(time_left_s(progress), left);
        fprintf(progress->out, "  ETA %s", left);
    }
    if (run->flags[0] != '\0') {
        fprintf(progress->out, "  %s%s%s", progress->colour ? YELLOW : "", run->flags,
                progress->colour ? PLAIN : "");
    }
    fputs(run->counted ? "\n" : "  (not counted)\n", progress->out);
    progress_flush(progress);
}
