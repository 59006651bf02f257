/* accesses.c - lists of single accesses: from tables, and made up. */
#include "accesses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/csv.h"
#include "../base/parse_number.h"
#include "../sim/report/recorded_columns.h"
#include "random.h"

void access_list_free(struct access_list *accesses)
{
    free(accesses->list);
    *accesses = (struct access_list){0};
}

static void list_add(struct access_list *accesses, const struct single_access *access)
{
    if (accesses->count == accesses->capacity) {
        accesses->capacity = accesses->capacity ? 2 * accesses->capacity : 64;
        accesses->list = memory_resize(accesses->list, accesses->capacity, sizeof *accesses->list);
    }
    accesses->list[accesses->count++] = *access;
}

static bool row_fail(const struct csv *csv, struct problem *problem, const char *what)
{
    return problem_say(problem, "%s, line %" PRIu64 ": %s", csv->name, csv->line, what);
}

static bool read_offsets(const char *text, struct single_access *access)
{
    uint64_t limit = access->space == SPACE_SHARED ? ACCESSES_SHARED_LIMIT : ACCESSES_GLOBAL_LIMIT;
    for (unsigned lane = 0; lane < 32; lane++) {
        char part[24];
        size_t length = strcspn(text, " ");
        if (length >= sizeof part)
            return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (!parse_number(part, 0, limit - access->bytes, &access->offsets[lane]) ||
            access->offsets[lane] % access->bytes)
            return false;
        text += length + (text[length] == ' ');
    }
    return *text == '\0';
}

static bool read_row(struct access_list *accesses, const struct csv *csv,
                     const unsigned place[ACCESS_COLUMN_COUNT], struct problem *problem)
{
    const char *field[ACCESS_COLUMN_MEASURED];
    struct single_access access = {.space = SPACE_SHARED};
    uint64_t bytes, mask;
    for (unsigned i = 0; i < ACCESS_COLUMN_MEASURED; i++)
        field[i] = csv_field(csv, place[i]);
    (void)snprintf(access.name, sizeof access.name, "%.31s", field[ACCESS_COLUMN_NAME]);
    if (strcmp(field[ACCESS_COLUMN_SPACE], "global") == 0)
        access.space = SPACE_GLOBAL;
    else if (strcmp(field[ACCESS_COLUMN_SPACE], "shared") != 0)
        return row_fail(csv, problem, "space must be shared or global");
    if (strcmp(field[ACCESS_COLUMN_OP], "store") == 0)
        access.op = ACCESS_STORE;
    else if (strcmp(field[ACCESS_COLUMN_OP], "load") != 0)
        return row_fail(csv, problem, "op must be load or store");
    if (!parse_number(field[ACCESS_COLUMN_BYTES], 1, 16, &bytes) || (bytes & (bytes - 1)))
        return row_fail(csv, problem, "bytes must be 1, 2, 4, 8 or 16");
    if (!parse_number(field[ACCESS_COLUMN_MASK], 1, UINT32_MAX, &mask))
        return row_fail(csv, problem, "active_mask must be 0x1 to 0xffffffff: some lane must take part");
    access.bytes = (unsigned)bytes;
    access.mask = (uint32_t)mask;
    if (!read_offsets(field[ACCESS_COLUMN_OFFSETS], &access))
        return row_fail(csv, problem,
                        "offsets must be 32 byte offsets with blanks between them, each a multiple of bytes, "
                        "below 48 KiB in shared and 16 MiB in global memory");
    list_add(accesses, &access);
    return true;
}

bool access_list_read(struct access_list *accesses, const struct source *table, struct problem *problem)
{
    struct csv csv;
    unsigned place[ACCESS_COLUMN_COUNT];
    csv_open(&csv, table);
    bool ok = csv_header(&csv, problem);
    for (unsigned i = 0; ok && i < ACCESS_COLUMN_MEASURED; i++) {
        place[i] = csv_find(&csv, access_columns[i]);
        if (place[i] == CSV_FIELD_LIMIT && i != ACCESS_COLUMN_NAME)
            ok = problem_say(problem, "%s has no column %s, which a list of accesses needs", table->name,
                             access_columns[i]);
    }
    while (ok && csv_next(&csv, problem))
        ok = read_row(accesses, &csv, place, problem);
    csv_close(&csv);
    return ok && !problem->set;
}

/* Shapes that have something to say about banks and sectors, in elements. */
static uint64_t random_index(struct random *random, unsigned shape, unsigned lane, uint64_t a, uint64_t b)
{
    switch (shape) {
    case 0: /* a stride */
        return lane * a;
    case 1: /* anywhere near */
        return random_below(random, 4 * a + 1);
    case 2: /* one element for all, or for groups */
        return lane / (1 + a % 8) * b;
    case 3: /* rows of a tile */
        return lane % 8 * a + lane / 8 * b;
    case 4: /* XOR */
        return lane ^ a % 32;
    default: /* neighbours swapped, strided */
        return (lane ^ 1) * b;
    }
}

void access_list_random(struct access_list *accesses, uint64_t seed, uint64_t count)
{
    static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0x0000ffff,
                                     0x55555555, 0x33333333, 0};
    struct random random = random_seeded(seed);
    for (uint64_t i = 0; i < count; i++) {
        struct single_access access = {.space = i % 2 ? SPACE_SHARED : SPACE_GLOBAL,
                                       .op = i / 2 % 2 ? ACCESS_STORE : ACCESS_LOAD,
                                       .bytes = 1u << i / 4 % 5,
                                       .mask = masks[random_below(&random, 7)]};
        unsigned shape = (unsigned)random_below(&random, 6);
        uint64_t a = 1 + random_below(&random, 40), b = 1 + random_below(&random, 40);
        uint64_t base = random_below(&random, 32);
        if (!access.mask)
            access.mask = (uint32_t)random_next(&random) | 1;
        for (unsigned lane = 0; lane < 32; lane++)
            access.offsets[lane] = (base + random_index(&random, shape, lane, a, b)) * access.bytes;
        (void)snprintf(access.name, sizeof access.name, "shape%u@%" PRIu64, shape, i);
        list_add(accesses, &access);
    }
}
