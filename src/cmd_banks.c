/* cmd_banks.c - which banks the tile's rows and columns touch.
 *
 * A row write is what a warp of a TILE x BLOCK_ROWS block stores in the load phase of the tiled rung, a
 * column read what it loads in the store phase; the first warp is shown, or the whole block's totals beside
 * it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/model/bank.h"
#include "../sim/report/device_columns.h"
#include "command.h"

static const struct column columns[] = {
    {"pitch", "pitch"},
    {"access", "access"},
    {"elem_bytes", NULL},
    {"lanes", "lanes"},
    {"unique_banks", "banks"},
    {"ways", "ways"},
    {"wavefronts", "wavefronts"},
    {"ideal_wavefronts", "ideal"},
    {"conflicts", "conflicts"},
    {"bank_list", "touched"},
    DEVICE_COLUMNS,
};

static const struct column lane_columns[] = {
    {"pitch", NULL},    {"access", NULL},    {"lane", "lane"},    {"thread_x", "tx"},
    {"thread_y", "ty"}, {"tile_row", "row"}, {"tile_col", "col"}, {"byte", "byte"},
    {"word", "word"},   {"bank", "bank"},    DEVICE_COLUMNS,
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct tile_access {
    uint32_t tile, block_rows, pitch;
    unsigned elem_bytes;
    bool is_column; /* a column read; otherwise a row write */
    const struct device *device;
    struct lanes lanes;
    int64_t delta[32];
    uint32_t tx[32], ty[32];
};

static void set_access(struct tile_access *a)
{
    uint32_t threads = a->tile * a->block_rows;
    a->lanes = (struct lanes){.lane_bytes = a->elem_bytes, .is_load = a->is_column, .delta = a->delta};
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t tx = lane % a->tile, ty = lane / a->tile;
        a->tx[lane] = tx;
        a->ty[lane] = ty;
        a->delta[lane] =
            (int64_t)(a->is_column ? (uint64_t)tx * a->pitch + ty : (uint64_t)ty * a->pitch + tx) *
            a->elem_bytes;
        if (lane < threads)
            a->lanes.mask |= UINT32_C(1) << lane;
    }
}

/* "0 4 8", or "0-31" where they follow each other. */
static void list_banks(const unsigned words[BANK_COUNT], char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (unsigned bank = 0; bank < BANK_COUNT && used < size; bank++) {
        unsigned last = bank;
        if (!words[bank])
            continue;
        while (last + 1 < BANK_COUNT && words[last + 1])
            last++;
        int n = last > bank + 1 ? snprintf(out + used, size - used, "%s%u-%u", used ? " " : "", bank, last)
                                : snprintf(out + used, size - used, "%s%u", used ? " " : "", bank);
        used += n > 0 ? (size_t)n : 0;
        if (last > bank + 1)
            bank = last;
    }
}

static void add_access(struct table *table, const struct tile_access *a)
{
    unsigned words[BANK_COUNT];
    char list[120];
    struct bank_cost cost = bank_cost_of(&a->lanes);
    struct bank_spread spread = bank_spread_of(&a->lanes);
    bank_words_of(&a->lanes, words);
    list_banks(words, list, sizeof list);
    table_count(table, a->pitch);
    table_text(table, a->is_column ? "column read" : "row write");
    table_count(table, a->elem_bytes);
    table_count(table, (uint64_t)__builtin_popcount(a->lanes.mask));
    table_count(table, spread.banks);
    table_count(table, spread.ways);
    table_count(table, cost.wavefronts);
    table_count(table, cost.ideal);
    table_count(table, cost.wavefronts - cost.ideal);
    table_judge(table, cost.wavefronts == cost.ideal);
    table_text(table, list);
    table_device(table, a->device);
}

static void add_lanes(struct table *table, const struct tile_access *a)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        if (!(a->lanes.mask >> lane & 1))
            continue;
        table_count(table, a->pitch);
        table_text(table, a->is_column ? "column read" : "row write");
        table_count(table, lane);
        table_count(table, a->tx[lane]);
        table_count(table, a->ty[lane]);
        table_count(table, a->is_column ? a->tx[lane] : a->ty[lane]);
        table_count(table, a->is_column ? a->ty[lane] : a->tx[lane]);
        table_integer(table, a->delta[lane]);
        table_integer(table, a->delta[lane] / 4);
        table_count(table, bank_of(a->delta[lane]));
        table_device(table, a->device);
    }
}

static void draw_lanes(const struct tile_access *a, bool color, FILE *out)
{
    struct table *table = table_new(lane_columns, COUNT(lane_columns));
    (void)fprintf(out, "\npitch %u, %s\n", a->pitch, a->is_column ? "column read" : "row write");
    add_lanes(table, a);
    table_write(table, FORMAT_TEXT, color, out);
    table_free(table);
}

static bool check(const struct options *o, uint32_t tile, uint32_t block_rows, struct problem *problem)
{
    if (tile > 1024 || (uint64_t)tile * block_rows > 1024)
        return problem_say(problem, "a block of %u x %u threads has more than the 1024 that are allowed",
                           tile, block_rows);
    if (block_rows > tile)
        return problem_say(problem, "block rows (%u) must not exceed the tile (%u)", block_rows, tile);
    for (unsigned i = 0; i < o->pitch_count; i++)
        if (o->pitches[i] < tile)
            return problem_say(problem, "the pitch (%u) must be at least the tile (%u)", o->pitches[i], tile);
    return true;
}

int command_banks(const struct options *options, FILE *out, struct problem *problem)
{
    uint32_t tile = options->scenario.tile ? options->scenario.tile : 32;
    uint32_t block_rows = options->scenario.block_rows ? options->scenario.block_rows : tile < 8 ? tile : 8;
    uint32_t pitches[OPTION_PITCH_LIMIT] = {tile, tile + 1};
    unsigned count = options->pitch_count ? options->pitch_count : 2;
    bool csv_lanes = options->lanes && options->format != FORMAT_TEXT;
    if (!check(options, tile, block_rows, problem))
        return EXIT_TROUBLE;
    if (options->pitch_count)
        memcpy(pitches, options->pitches, sizeof pitches);
    struct table *table =
        csv_lanes ? table_new(lane_columns, COUNT(lane_columns)) : table_new(columns, COUNT(columns));
    struct tile_access *accesses = memory_take(2 * (size_t)count, sizeof *accesses);
    for (unsigned i = 0; i < 2 * count; i++) {
        accesses[i] = (struct tile_access){
            .tile = tile,
            .block_rows = block_rows,
            .pitch = pitches[i / 2],
            .elem_bytes = options->scenario.elem_bytes ? options->scenario.elem_bytes : 4,
            .is_column = i % 2 == 1,
            .device = options->scenario.device};
        set_access(&accesses[i]);
        if (csv_lanes)
            add_lanes(table, &accesses[i]);
        else
            add_access(table, &accesses[i]);
    }
    if (options->format == FORMAT_TEXT)
        (void)fprintf(out,
                      "the first warp of a %u x %u block on a %u x %u tile of %u-byte elements; %s: %s\n\n",
                      tile, block_rows, tile, tile, accesses[0].elem_bytes, options->scenario.device->name,
                      device_rules(options->scenario.device));
    table_write(table, options->format, options->color, out);
    for (unsigned i = 0; options->lanes && options->format == FORMAT_TEXT && i < 2 * count; i++)
        draw_lanes(&accesses[i], options->color, out);
    table_free(table);
    free(accesses);
    return EXIT_FINE;
}
