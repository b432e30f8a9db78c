#include "../unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "task_queue.h"

enum { TASKS = 4, QUERIES = 20000, WORKERS = 3 };

static void first_in_first_out(void **state)
{
    (void)state;
    struct task_queue *queue = task_queue_create(TASKS);
    struct task *task = task_queue_submit(queue, NULL);
    for (size_t i = 0; i < TASKS - 1; i++) {
        task->query_bytes = i;
        task = task_queue_submit(queue, task);
        assert_non_null(task);
    }
    struct task *done = NULL;
    for (size_t i = 0; i < TASKS - 1; i++) {
        done = task_queue_next(queue, done);
        assert_int_equal(done->query_bytes, i);
    }
    task_queue_close(queue);
    assert_null(task_queue_next(queue, done));
    assert_null(task_queue_submit(queue, task));
    task_queue_free(queue);
}

/* What was queued before the end is still answered. */
static void a_closed_queue_is_emptied(void **state)
{
    (void)state;
    struct task_queue *queue = task_queue_create(TASKS);
    struct task *task = task_queue_submit(queue, task_queue_submit(queue, NULL));
    assert_non_null(task);
    task_queue_close(queue);
    struct task *queued = task_queue_next(queue, NULL);
    assert_non_null(queued);
    assert_null(task_queue_next(queue, queued));
    task_queue_free(queue);
}

struct tally {
    struct task_queue *queue;
    atomic_uint seen[QUERIES];
};

static void *count_tasks(void *argument)
{
    struct tally *tally = argument;
    struct task *task = NULL;
    while ((task = task_queue_next(tally->queue, task)) != NULL) {
        atomic_fetch_add(&tally->seen[task->query_bytes], 1);
    }
    return NULL;
}

/* Every query is taken once, though there are far fewer tasks than queries. */
static void nothing_is_lost_or_taken_twice(void **state)
{
    (void)state;
    static struct tally tally;
    pthread_t workers[WORKERS];
    tally.queue = task_queue_create(TASKS);
    for (size_t i = 0; i < WORKERS; i++) {
        assert_int_equal(pthread_create(&workers[i], NULL, count_tasks, &tally), 0);
    }
    struct task *task = task_queue_submit(tally.queue, NULL);
    for (size_t i = 0; i < QUERIES; i++) {
        task->query_bytes = i;
        task = task_queue_submit(tally.queue, task);
    }
    task_queue_close(tally.queue);
    for (size_t i = 0; i < WORKERS; i++) {
        pthread_join(workers[i], NULL);
    }
    for (size_t i = 0; i < QUERIES; i++) {
        assert_int_equal(atomic_load(&tally.seen[i]), 1);
    }
    task_queue_free(tally.queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_in_first_out),
        cmocka_unit_test(a_closed_queue_is_emptied),
        cmocka_unit_test(nothing_is_lost_or_taken_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
