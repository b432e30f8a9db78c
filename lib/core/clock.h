/* Time. Latencies and durations use the monotonic clock; only records for people use UTC. */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S  UINT64_C(1000000000)

/* Nanoseconds of CLOCK_MONOTONIC; any thread, async-signal-safe, never fails. */
uint64_t clock_monotonic_ns(void);

/* Sleeps until CLOCK_MONOTONIC reaches `deadline_ns`; 0, or ERR_INTERRUPTED by a signal. */
int clock_sleep_until_ns(uint64_t deadline_ns);

/* Bytes that clock_format_utc() needs. */
#define CLOCK_UTC_SIZE 32

/* The present UTC as RFC 3339 with milliseconds: 2026-01-31T23:59:59.123Z. */
void clock_format_utc(char text[CLOCK_UTC_SIZE]);

#endif
