#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "core/check.h"
#include "core/clock.h"
#include "core/error.h"

uint64_t clock_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

int clock_sleep_until_ns(uint64_t deadline_ns)
{
    struct timespec deadline = {
        .tv_sec = (time_t)(deadline_ns / NS_PER_S),
        .tv_nsec = (long)(deadline_ns % NS_PER_S),
    };
    int status = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL);
    CHECK(status == 0 || status == EINTR);
    return status == 0 ? 0 : ERR_INTERRUPTED;
}

void clock_format_utc(char text[CLOCK_UTC_SIZE])
{
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t used = strftime(text, CLOCK_UTC_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + used, CLOCK_UTC_SIZE - used, ".%03dZ", (int)(now.tv_nsec / 1000000));
}
