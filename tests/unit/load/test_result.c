#include "../unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/result.h"
#include "load/text.h"

/* 120 kB, too much for some stacks. */
static struct load_result *new_result(void)
{
    struct load_result *result = calloc(1, sizeof(*result));
    assert_non_null(result);
    result->client.threads = calloc(2, sizeof(*result->client.threads));
    result->client.thread_count = 2;
    return result;
}

static void free_result(struct load_result *result)
{
    load_result_free(result);
    free(result);
}

static void phases_add_up(void **state)
{
    (void)state;
    struct load_result *result = new_result();
    struct load_phase *into = &result->phases[LOAD_WARMUP];
    struct load_phase *from = &result->phases[LOAD_MEASURED];
    into->counts = (struct load_counts){.sent = 1, .lost = 1, .rcodes = {[3] = 5}};
    into->last_event_ns = 7;
    from->counts = (struct load_counts){
        .sent = 2,
        .completed = 3,
        .lost = 4,
        .interrupted = 5,
        .late = 6,
        .duplicate = 7,
        .mismatched = 8,
        .malformed = 9,
        .unexpected = 10,
        .refused = 11,
        .truncated = 12,
        .request_bytes = 13,
        .response_bytes = 14,
        .rcodes = {[0] = 15, [3] = 16, [15] = 17},
    };
    histogram_record(&from->latency_ns, 100);
    struct load_counts expected = from->counts;
    expected.sent = 3;
    expected.lost = 5;
    expected.rcodes[3] = 21;
    load_phase_merge(into, from);
    assert_memory_equal(&into->counts, &expected, sizeof(expected));
    assert_int_equal(into->last_event_ns, 7);
    assert_int_equal(into->latency_ns.count, 1);
    from->last_event_ns = 8;
    load_phase_merge(into, from);
    assert_int_equal(into->last_event_ns, 8);
    free_result(result);
}

static void flags_follow_from_the_result(void **state)
{
    (void)state;
    struct load_result *result = new_result();
    struct load_counts *counts = &result->phases[LOAD_MEASURED].counts;
    result->run_time_s = 1;
    counts->completed = 1;
    result->client.threads[0].cpu_share = 0.95;
    result->client.threads[1].wait_share = 0.1;
    assert_int_equal(load_result_flags(result), 0);
    result->client.threads[1].cpu_share = 0.951;
    assert_int_equal(load_result_flags(result), LOAD_GENERATOR_BOUND);
    result->client.threads[0].wait_share = 0.11;
    counts->lost = 1;
    counts->refused = 1;
    counts->unexpected = 1;
    result->client.socket_drops = 1;
    assert_int_equal(load_result_flags(result), LOAD_GENERATOR_BOUND | LOAD_CPU_CONTENDED |
                                                    LOAD_LOSSY | LOAD_REFUSED | LOAD_CLIENT_DROPS |
                                                    LOAD_WRONG_REPLIES);
    *counts = (struct load_counts){0};
    result->client.socket_drops = 0;
    result->run_time_s = 0.05; /* too short for shares */
    assert_int_equal(load_result_flags(result), LOAD_NO_REPLIES | LOAD_SHORT);
    free_result(result);
}

static void flags_and_rcodes_have_names(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < LOAD_FLAGS; bit++) {
        assert_true(strlen(load_flag_name(bit)) > 0);
    }
    assert_string_equal(load_rcode_name(0), "NOERROR");
    assert_string_equal(load_rcode_name(5), "REFUSED");
    assert_string_equal(load_rcode_name(9), "NOTAUTH");
    assert_string_equal(load_rcode_name(15), "rcode15");
}

/* dnsperf's block, written by hand from what dnsperf 2.10 prints. */
static const char expected_block[] = "[Status] Testing complete (interruption)\n"
                                     "\n"
                                     "Statistics:\n"
                                     "\n"
                                     "  Queries sent:         8\n"
                                     "  Queries completed:    4 (50.00%)\n"
                                     "  Queries lost:         3 (37.50%)\n"
                                     "  Queries interrupted:  1 (12.50%)\n"
                                     "\n"
                                     "  Response codes:       NOERROR 3 (75.00%), NXDOMAIN 1 "
                                     "(25.00%)\n"
                                     "  Average packet size:  request 33, response 59\n"
                                     "  Run time (s):         2.500000\n"
                                     "  Queries per second:   1.600000\n"
                                     "\n"
                                     "  Average Latency (s):  0.002500 (min 0.001000, max "
                                     "0.004000)\n"
                                     "  Latency StdDev (s):   0.001291\n"
                                     "\n"
                                     "  Latency p50 (s):      0.00200";

static void the_block_is_dnsperfs(void **state)
{
    (void)state;
    struct load_result *result = new_result();
    struct load_phase *phase = &result->phases[LOAD_MEASURED];
    phase->counts = (struct load_counts){
        .sent = 8,
        .completed = 4,
        .lost = 3,
        .interrupted = 1,
        .request_bytes = 8 * 33 + 7,
        .response_bytes = 4 * 59 + 3,
        .rcodes = {[0] = 3, [3] = 1},
    };
    result->run_time_s = 2.5;
    result->interrupted = true;
    for (uint64_t ms = 1; ms <= 4; ms++) {
        histogram_record(&phase->latency_ns, ms * NS_PER_MS);
    }
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    load_text_result(out, result);
    fclose(out);
    text[strlen(expected_block)] = '\0';
    assert_string_equal(text, expected_block);
    /* 1.6 per second, each 2.5 ms on its way. */
    assert_true(fabs(load_result_outstanding_mean(result) - 0.004) < 1e-12);
    free(text);
    free_result(result);
}

static void intervals_are_told_in_both_manners(void **state)
{
    (void)state;
    struct load_interval sum = {.start_s = 1, .end_s = 3, .completed = 30};
    struct load_interval threads[2] = {
        {.start_s = 1, .end_s = 3, .completed = 10},
        {.start_s = 1, .end_s = 3, .completed = 20},
    };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    load_text_interval(out, 1796078107.25, &sum, threads, 2);
    sum.omitted = threads[0].omitted = true;
    load_text_interval(out, 1796078107.25, &sum, threads, 1);
    fclose(out);
    assert_string_equal(
        text, "1796078107.250000: 15.000000\n"
              "[  0]    1.00-3.00    sec         10 queries         5.00 qps\n"
              "[  1]    1.00-3.00    sec         20 queries        10.00 qps\n"
              "[SUM]    1.00-3.00    sec         30 queries        15.00 qps\n"
              "[  0]    1.00-3.00    sec         10 queries         5.00 qps (omitted)\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_add_up),
        cmocka_unit_test(flags_follow_from_the_result),
        cmocka_unit_test(flags_and_rcodes_have_names),
        cmocka_unit_test(the_block_is_dnsperfs),
        cmocka_unit_test(intervals_are_told_in_both_manners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
