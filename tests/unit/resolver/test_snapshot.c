#include "../unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "ask.h"
#include "snapshot.h"

#define ZONE "@ 60 SOA a.test. b.test. 1 2 3 4 5\n@ 60 NS a.test.\n"

enum { READERS = 2, REPLACEMENTS = 50 };

static struct zone_set *make_zones(void)
{
    struct zone_set *zones = zone_set_create();
    ask_add_zone(zones, "example.", ZONE);
    return zones;
}

static void readers_get_the_newest_set(void **state)
{
    (void)state;
    struct zone_set *first = make_zones();
    struct zone_set *second = make_zones();
    struct snapshot *snapshot = snapshot_create(first, 1);
    struct snapshot_reader *reader = snapshot_reader(snapshot, 0);
    assert_ptr_equal(snapshot_acquire(reader), first);
    snapshot_release(reader);
    snapshot_replace(snapshot, second); /* does not wait: nobody reads */
    assert_ptr_equal(snapshot_acquire(reader), second);
    snapshot_release(reader);
    snapshot_free(snapshot);
}

struct reading {
    struct snapshot_reader *reader;
    atomic_bool *stopping;
    atomic_uint *zones_seen;
};

/* Touches all that it may touch; AddressSanitizer sees it when that was freed. */
static void *read_again_and_again(void *argument)
{
    const struct reading *reading = argument;
    struct name_index name;
    name_index_make(&name, (const uint8_t *)"\7example\0", 9);
    while (!atomic_load(reading->stopping)) {
        const struct zone_set *zones = snapshot_acquire(reading->reader);
        const struct zone *zone = zone_set_find(zones, &name, 0);
        if (zone != NULL && zone->rr_count == 2) {
            atomic_fetch_add(reading->zones_seen, 1);
        }
        snapshot_release(reading->reader);
    }
    return NULL;
}

static void a_set_lives_while_it_is_read(void **state)
{
    (void)state;
    struct snapshot *snapshot = snapshot_create(make_zones(), READERS);
    pthread_t threads[READERS];
    struct reading readings[READERS];
    atomic_bool stopping = false;
    atomic_uint zones_seen = 0;
    for (unsigned i = 0; i < READERS; i++) {
        readings[i] = (struct reading){snapshot_reader(snapshot, i), &stopping, &zones_seen};
        assert_int_equal(pthread_create(&threads[i], NULL, read_again_and_again, &readings[i]), 0);
    }
    while (atomic_load(&zones_seen) == 0) {
        sched_yield(); /* on a busy machine the readers start late */
    }
    for (unsigned i = 0; i < REPLACEMENTS; i++) {
        snapshot_replace(snapshot, make_zones());
    }
    atomic_store(&stopping, true);
    for (unsigned i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
    snapshot_free(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_get_the_newest_set),
        cmocka_unit_test(a_set_lives_while_it_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
