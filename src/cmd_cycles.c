/* cmd_cycles.c - the cycles of an in-place transposition, and a kernel that follows them. */
#include <inttypes.h>
#include <stdlib.h>

#include "../base/arena.h"
#include "../sim/report/cycles.h"
#include "command.h"

/* A thread a place; the one whose place is the smallest of its cycle moves all of it. */
static const char kernel[] =
    "// title: cycles\n"
    "// purpose: Transposes in place: each cycle of the permutation is moved by the thread at its leader.\n"
    "// block: 256\n"
    "// grid: (rows * cols + 255) / 256\n"
    "\n"
    "__global__ void follow_cycles(float *a, int rows, int cols)\n"
    "{\n"
    "    const long long last = (long long)rows * cols - 1;\n"
    "    const long long leader = (long long)blockIdx.x * 256 + threadIdx.x;\n"
    "    if (leader < 1 || leader >= last)\n"
    "        return; // the first and the last element stay\n"
    "    long long k = leader * rows % last;\n"
    "    while (k > leader)\n"
    "        k = k * rows % last;\n"
    "    if (k < leader)\n"
    "        return; // another place of this cycle is smaller\n"
    "    float carried = a[leader];\n"
    "    do {\n"
    "        k = k * rows % last;\n"
    "        const float next = a[k];\n"
    "        a[k] = carried;\n"
    "        carried = next;\n"
    "    } while (k != leader);\n"
    "}\n";

static const struct column columns[] = {
    {"rows", NULL}, {"cols", NULL}, {"leader", NULL}, {"length", NULL}, {"places", NULL}};

enum { LENGTHS_SHOWN = 20, PLACES_SHOWN = 12, LEADERS_SHOWN = 8 };

struct by_length {
    uint64_t length, cycles, leaders[LEADERS_SHOWN];
};

struct gathered {
    uint32_t rows, cols;
    uint64_t cycles, fixed, longest;
    struct by_length *lengths; /* ascending order of their first leader */
    size_t count, capacity;
    struct stream *stream; /* csv, json */
};

/* "1 7 19 ...", where they go in turn. */
static void places_of(const struct gathered *g, uint64_t leader, uint64_t length, char *out, size_t size)
{
    size_t used = 0;
    uint64_t k = leader;
    for (uint64_t i = 0; i < length && i < PLACES_SHOWN && used < size;
         i++, k = cycle_next(g->rows, g->cols, k))
        used += (size_t)snprintf(out + used, size - used, "%s%" PRIu64, i ? " " : "", k);
    if (length > PLACES_SHOWN && used < size)
        (void)snprintf(out + used, size - used, " ...");
}

static struct by_length *length_of(struct gathered *g, uint64_t length)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->lengths[i].length == length)
            return &g->lengths[i];
    if (g->count == g->capacity) {
        g->capacity = g->capacity ? 2 * g->capacity : 16;
        g->lengths = memory_resize(g->lengths, g->capacity, sizeof *g->lengths);
    }
    g->lengths[g->count] = (struct by_length){.length = length};
    return &g->lengths[g->count++];
}

static void take_cycle(void *self, uint64_t leader, uint64_t length)
{
    struct gathered *g = self;
    char places[400];
    g->cycles += length > 1;
    g->fixed += length == 1;
    g->longest = length > g->longest ? length : g->longest;
    struct by_length *own = length_of(g, length);
    if (own->cycles < LEADERS_SHOWN)
        own->leaders[own->cycles] = leader;
    own->cycles++;
    if (!g->stream)
        return;
    places_of(g, leader, length, places, sizeof places);
    stream_count(g->stream, g->rows);
    stream_count(g->stream, g->cols);
    stream_count(g->stream, leader);
    stream_count(g->stream, length);
    stream_text(g->stream, places);
}

static int compare_lengths(const void *a, const void *b)
{
    const struct by_length *x = a, *y = b;
    return x->length < y->length ? -1 : x->length > y->length;
}

static void print_text(struct gathered *g, FILE *out)
{
    static const struct column titles[] = {
        {"length", "length"}, {"cycles", "cycles"}, {"leaders", "leaders"}};
    (void)fprintf(out,
                  "%u x %u in place: the element in place k belongs in place k * %u mod %" PRIu64 "; %" PRIu64
                  " cycle%s, %" PRIu64 " element%s stay%s, the longest has %" PRIu64 "\n\n",
                  g->rows, g->cols, g->rows, (uint64_t)g->rows * g->cols - 1, g->cycles,
                  g->cycles == 1 ? "" : "s", g->fixed, g->fixed == 1 ? "" : "s", g->fixed == 1 ? "s" : "",
                  g->longest);
    qsort(g->lengths, g->count, sizeof *g->lengths, compare_lengths);
    struct table *table = table_new(titles, 3);
    for (size_t i = 0; i < g->count && i < LENGTHS_SHOWN; i++) {
        char leaders[200];
        size_t used = 0;
        const struct by_length *own = &g->lengths[i];
        for (uint64_t k = 0; k < own->cycles && k < LEADERS_SHOWN; k++)
            used += (size_t)snprintf(leaders + used, sizeof leaders - used, "%s%" PRIu64, k ? " " : "",
                                     own->leaders[k]);
        if (own->cycles > LEADERS_SHOWN)
            (void)snprintf(leaders + used, sizeof leaders - used, " ...");
        table_count(table, own->length);
        table_count(table, own->cycles);
        table_text(table, leaders);
    }
    table_write(table, FORMAT_TEXT, false, out);
    table_free(table);
    if (g->count > LENGTHS_SHOWN)
        (void)fprintf(out, "... %zu more lengths: -f csv has every cycle\n", g->count - LENGTHS_SHOWN);
    (void)fputs("\nlanescope cycles --code prints a kernel that follows them\n", out);
}

int command_cycles(const struct options *options, FILE *out, struct problem *problem)
{
    struct gathered g = {.rows = options->scenario.rows ? options->scenario.rows : SCENARIO_ROWS,
                         .cols = options->scenario.cols ? options->scenario.cols : SCENARIO_COLS};
    struct stream stream;
    if (options->code) {
        (void)fputs(kernel, out);
        return EXIT_FINE;
    }
    if (options->format != FORMAT_TEXT) {
        stream_begin(&stream, options->format, columns, sizeof columns / sizeof *columns, out);
        g.stream = &stream;
    }
    bool ok = cycles_each(g.rows, g.cols, &g, take_cycle, problem);
    if (ok && g.stream)
        stream_finish(&stream);
    else if (ok)
        print_text(&g, out);
    free(g.lengths);
    return ok ? EXIT_FINE : EXIT_TROUBLE;
}
