#include "sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/csv.h"
#include "../sim/report/recorded_columns.h"
#include "../sim/report/element.h"
#include "random.h"

void sweep_free(struct sweep *sweep)
{
    free(sweep->list);
    *sweep = (struct sweep){0};
}

void sweep_add(struct sweep *sweep, const struct configuration *configuration)
{
    if (sweep->count == sweep->capacity) {
        sweep->capacity = sweep->capacity ? 2 * sweep->capacity : 64;
        sweep->list = memory_resize(sweep->list, sweep->capacity, sizeof *sweep->list);
    }
    sweep->list[sweep->count++] = *configuration;
}

static struct configuration configuration_of(const struct rung *rung, uint32_t rows, uint32_t cols,
                                             uint32_t tile, uint32_t block_rows, uint32_t pitch,
                                             unsigned elem_bytes)
{
    return (struct configuration){.name = rung->name,
                                  .text = &rung->source,
                                  .options = {.rows = rows,
                                              .cols = cols,
                                              .tile = tile,
                                              .block_rows = block_rows,
                                              .pitch = pitch,
                                              .elem_bytes = elem_bytes,
                                              .elem_type = element_integer_type(elem_bytes)}};
}

/* Does the rung take any pitch, or only the one that its text chooses? */
static bool takes_any_pitch(const struct rung *rung)
{
    struct headnote note;
    headnote_read(&rung->source, &note);
    return headnote_says(&note.pitch, "any");
}

/* The pitch that the rung's text chooses for a tile; the tile where it has none. */
static uint32_t own_pitch(const struct rung *rung, uint32_t tile)
{
    struct scenario_options options = {.rows = 1, .cols = 1, .tile = tile};
    struct scenario scenario;
    struct problem ignored = {0};
    if (!scenario_open(&scenario, &rung->source, &options, &ignored))
        return tile; /* whoever opens the configuration hears why */
    uint32_t pitch = scenario.pitch ? (uint32_t)scenario.pitch : tile;
    scenario_close(&scenario);
    return pitch;
}

enum { PITCHES = 6 }; /* from TILE on, of a rung that takes any */

static const unsigned widths[] = {1, 2, 4, 8, 16};

static void add_small(struct sweep *sweep, const struct rung *rung, uint32_t tile, uint32_t pitch,
                      unsigned elem)
{
    static const uint32_t sizes[][2] = {{1, 1},   {32, 32},  {96, 96},   {256, 256}, {1, 1000}, {1000, 1},
                                        {3, 777}, {100, 70}, {129, 257}, {255, 63},  {1023, 33}};
    static const uint64_t offsets[][2] = {{0, 0}, {1, 0}, {0, 3}, {5, 7}, {13, 1}};
    static const struct {
        uint32_t tile, block_rows[2];
    } blocks[] = {{3, {3, 2}}, {16, {16, 4}}, {32, {8, 32}}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t block_rows = tile;
        for (size_t b = 0; b < 3; b++)
            if (blocks[b].tile == tile)
                block_rows = blocks[b].block_rows[(pitch + elem) % 2 ? 1 : 0];
        struct configuration c =
            configuration_of(rung, sizes[i][0], sizes[i][1], tile, block_rows, pitch, elem);
        const uint64_t *offset = offsets[(i + tile + pitch + elem) % 5];
        c.options.in_offset = offset[0];
        c.options.out_offset = offset[1];
        sweep_add(sweep, &c);
    }
}

static void add_large(struct sweep *sweep, const struct rung *rung)
{
    static const uint32_t sizes[][2] = {{8192, 8192}, {8191, 8193}};
    for (size_t w = 0; w < 5; w++)
        for (size_t i = 0; i < 2; i++) {
            if (widths[w] != 4 && (w + i) % 2) /* both sizes for 4 bytes, one of them for the others */
                continue;
            struct configuration c =
                configuration_of(rung, sizes[i][0], sizes[i][1], 32, 8, own_pitch(rung, 32), widths[w]);
            sweep_add(sweep, &c);
        }
}

void sweep_builtin(struct sweep *sweep)
{
    static const uint32_t tiles[] = {3, 16, 32};
    for (size_t r = 0; r < rung_count; r++)
        for (size_t t = 0; t < 3; t++)
            for (size_t w = 0; w < 5; w++) {
                bool any = takes_any_pitch(&rungs[r]);
                uint32_t first = any ? tiles[t] : own_pitch(&rungs[r], tiles[t]);
                for (uint32_t pitch = first; pitch <= first + (any ? PITCHES - 1 : 0); pitch++)
                    add_small(sweep, &rungs[r], tiles[t], pitch, widths[w]);
            }
    for (size_t r = 0; r < rung_count; r++)
        add_large(sweep, &rungs[r]);
}

/* 1 to 3000, small ones as likely as large ones. */
static uint32_t random_size(struct random *random)
{
    static const uint32_t scales[] = {10, 100, 1000, 3000};
    return 1 + (uint32_t)random_below(random, scales[random_below(random, 4)]);
}

void sweep_random(struct sweep *sweep, uint64_t seed, uint64_t count)
{
    struct random random = random_seeded(seed);
    for (uint64_t i = 0; i < count; i++) {
        const struct rung *rung = &rungs[random_below(&random, rung_count)];
        uint32_t rows = random_size(&random), cols = random_size(&random);
        uint32_t tile = random_below(&random, 2) ? 32 : 1 + (uint32_t)random_below(&random, 32);
        uint32_t block_rows = 1 + (uint32_t)random_below(&random, tile);
        uint32_t pitch =
            takes_any_pitch(rung) ? tile + (uint32_t)random_below(&random, PITCHES) : own_pitch(rung, tile);
        struct configuration c =
            configuration_of(rung, rows, cols, tile, block_rows, pitch, widths[random_below(&random, 5)]);
        c.options.in_offset = random_below(&random, 2) * random_below(&random, 300);
        c.options.out_offset = random_below(&random, 2) * random_below(&random, 300);
        sweep_add(sweep, &c);
    }
}

static bool row_fail(const struct csv *csv, enum launch_column column, const char *text,
                     struct problem *problem)
{
    const struct launch_column_row *row = &launch_columns[column];
    if (column == LAUNCH_KERNEL)
        return problem_say(problem, "%s, line %" PRIu64 ": kernel must be a rung of the ladder, not '%.40s'",
                           csv->name, csv->line, text);
    return problem_say(problem,
                       "%s, line %" PRIu64 ": %s must be a whole number from %" PRIu64 " to %" PRIu64
                       ", not '%.40s'",
                       csv->name, csv->line, row->name, row->least, row->most, text);
}

static bool read_kernel(const char *text, struct configuration *c)
{
    const struct rung *rung = rung_find(text);
    if (!rung)
        return false;
    c->name = rung->name;
    c->text = &rung->source;
    return true;
}

static bool read_row(struct sweep *sweep, const struct csv *csv, const unsigned place[LAUNCH_COLUMN_COUNT],
                     struct problem *problem)
{
    struct configuration c = {.table = csv->name, .line = csv->line};
    for (enum launch_column i = 0; i < LAUNCH_COLUMN_COUNT; i++) {
        const char *text = csv_field(csv, place[i]);
        if (place[i] != CSV_FIELD_LIMIT &&
            !(i == LAUNCH_KERNEL ? read_kernel(text, &c) : launch_column_read(i, text, &c.options)))
            return row_fail(csv, i, text, problem);
    }
    c.options.elem_type = element_integer_type(c.options.elem_bytes);
    if (!c.options.elem_type)
        return problem_say(problem, "%s, line %" PRIu64 ": elem_bytes must be 1, 2, 4, 8 or 16, not %u",
                           csv->name, csv->line, c.options.elem_bytes);
    sweep_add(sweep, &c);
    return true;
}

bool sweep_read(struct sweep *sweep, const struct source *table, struct problem *problem)
{
    struct csv csv;
    unsigned place[LAUNCH_COLUMN_COUNT];
    csv_open(&csv, table);
    bool ok = csv_header(&csv, problem);
    for (enum launch_column i = 0; ok && i < LAUNCH_COLUMN_COUNT; i++) {
        place[i] = csv_find(&csv, launch_columns[i].name);
        if (place[i] == CSV_FIELD_LIMIT && !launch_columns[i].is_optional)
            ok = problem_say(problem, "%s has no column %s, which a list of configurations needs",
                             table->name, launch_columns[i].name);
    }
    while (ok && csv_next(&csv, problem))
        ok = read_row(sweep, &csv, place, problem);
    csv_close(&csv);
    return ok && !problem->set;
}

bool configuration_open(const struct configuration *c, const struct device *device, struct scenario *scenario,
                        struct problem *problem)
{
    struct scenario_options options = c->options;
    if (device)
        options.device = device;
    if (scenario_open(scenario, c->text, &options, problem))
        return true;
    if (c->table)
        problem_within(problem, "%s, line %" PRIu64, c->table, c->line);
    return false;
}
