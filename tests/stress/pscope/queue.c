/* A bounded queue between producers and consumers: nothing lost, doubled or out of order. */
#include "validator.h"

#include <pthread.h>
#include <sched.h>

enum { PRODUCERS = 4, CONSUMERS = 4, ITEMS = 4000, CAPACITY = 16 };

struct item {
    unsigned producer, number;
};

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty, not_full;
    struct item items[CAPACITY];
    unsigned head, count;
} queue = {.mutex = PTHREAD_MUTEX_INITIALIZER,
           .not_empty = PTHREAD_COND_INITIALIZER,
           .not_full = PTHREAD_COND_INITIALIZER};

static unsigned consumed[PRODUCERS][ITEMS]; /* changed atomically */

static void put(struct item item)
{
    REQUIRE_EQUAL(pthread_mutex_lock(&queue.mutex), 0);
    while (queue.count == CAPACITY) {
        REQUIRE_EQUAL(pthread_cond_wait(&queue.not_full, &queue.mutex), 0);
    }
    queue.items[(queue.head + queue.count++) % CAPACITY] = item;
    REQUIRE_EQUAL(pthread_cond_signal(&queue.not_empty), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&queue.mutex), 0);
}

static struct item take(void)
{
    REQUIRE_EQUAL(pthread_mutex_lock(&queue.mutex), 0);
    while (queue.count == 0) {
        REQUIRE_EQUAL(pthread_cond_wait(&queue.not_empty, &queue.mutex), 0);
    }
    REQUIRE(queue.count <= CAPACITY);
    struct item item = queue.items[queue.head];
    queue.head = (queue.head + 1) % CAPACITY;
    queue.count--;
    REQUIRE_EQUAL(pthread_cond_signal(&queue.not_full), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&queue.mutex), 0);
    return item;
}

static void *produce(void *argument)
{
    unsigned producer = (unsigned)(uintptr_t)argument;
    for (unsigned number = 0; number < ITEMS; number++) {
        put((struct item){producer, number});
        if (number % 64 == producer) {
            sched_yield();
        }
    }
    return NULL;
}

static void *consume(void *argument)
{
    unsigned next[PRODUCERS] = {0};
    for (;;) {
        struct item item = take();
        if (item.producer == PRODUCERS) {
            return argument;
        }
        REQUIRE(item.number >= next[item.producer]); /* one consumer sees a producer's order */
        next[item.producer] = item.number + 1;
        REQUIRE_EQUAL(
            __atomic_fetch_add(&consumed[item.producer][item.number], 1, __ATOMIC_SEQ_CST), 0);
    }
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumers[CONSUMERS];
    for (uintptr_t i = 0; i < PRODUCERS; i++) {
        producers[i] = validator_spawn(produce, (void *)i);
        consumers[i] = validator_spawn(consume, NULL);
    }
    for (unsigned i = 0; i < PRODUCERS; i++) {
        validator_join(producers[i]);
    }
    for (unsigned i = 0; i < CONSUMERS; i++) {
        put((struct item){PRODUCERS, 0});
    }
    for (unsigned i = 0; i < CONSUMERS; i++) {
        validator_join(consumers[i]);
    }
    for (unsigned i = 0; i < PRODUCERS * ITEMS; i++) {
        REQUIRE_EQUAL(consumed[i / ITEMS][i % ITEMS], 1);
    }
    return validator_finish();
}
