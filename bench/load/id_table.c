#include "load/id_table.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/error.h"

int id_table_init(struct id_table *table, uint32_t slot_count, uint64_t timeout_ns)
{
    CHECK(slot_count > 0 && slot_count <= ID_TABLE_MAX_SLOTS);
    CHECK((slot_count & (slot_count - 1)) == 0);
    *table = (struct id_table){
        .slots = calloc(slot_count, sizeof(*table->slots)),
        .mask = slot_count - 1,
        .timeout_ns = timeout_ns,
    };
    return table->slots == NULL ? ERR_MEMORY : 0;
}

void id_table_free(struct id_table *table)
{
    free(table->slots);
    *table = (struct id_table){0};
}

static bool is_free(const struct id_table *table, const struct id_slot *slot, uint64_t now_ns)
{
    if (slot->state == ID_LOST) {
        /* Lost at sent + timeout, at rest for a timeout more. */
        return now_ns - slot->sent_ns >= 2 * table->timeout_ns;
    }
    return slot->state != ID_IN_FLIGHT;
}

struct id_slot *id_table_take(struct id_table *table, uint32_t query, uint64_t now_ns)
{
    for (uint32_t tries = 0; tries <= table->mask; tries++) {
        uint32_t sequence = table->head++;
        struct id_slot *slot = &table->slots[sequence & table->mask];
        if (is_free(table, slot, now_ns)) {
            *slot = (struct id_slot){
                .sent_ns = now_ns,
                .sequence = sequence,
                .query = query & ID_TABLE_MAX_QUERY,
                .state = ID_IN_FLIGHT,
            };
            table->in_flight++;
            return slot;
        }
    }
    return NULL;
}

void id_table_untake(struct id_table *table, struct id_slot *slot)
{
    CHECK(slot->state == ID_IN_FLIGHT);
    uint32_t first = slot->sequence;
    for (uint32_t sequence = first; sequence != table->head; sequence++) {
        struct id_slot *undone = &table->slots[sequence & table->mask];
        if (undone->sequence == sequence && undone->state == ID_IN_FLIGHT) {
            undone->state = ID_UNUSED;
            table->in_flight--;
        }
    }
    table->head = first;
}

struct id_slot *id_table_find(const struct id_table *table, uint16_t id)
{
    struct id_slot *slot = &table->slots[id & table->mask];
    return slot->state != ID_UNUSED && id_slot_id(slot) == id ? slot : NULL;
}

struct id_slot *id_table_oldest(struct id_table *table)
{
    for (; table->tail != table->head; table->tail++) {
        struct id_slot *slot = &table->slots[table->tail & table->mask];
        if (slot->state == ID_IN_FLIGHT && slot->sequence == table->tail) {
            return slot;
        }
    }
    return NULL;
}

void id_table_end(struct id_table *table, struct id_slot *slot, enum id_state state)
{
    CHECK(slot->state == ID_IN_FLIGHT);
    CHECK(state == ID_DONE || state == ID_LOST);
    slot->state = state;
    table->in_flight--;
}
