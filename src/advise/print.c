#include "print.h"

#include <inttypes.h>
#include <string.h>

#include "../../sim/report/device_columns.h"

static const struct column columns[] = {
    {"rung", NULL},
    {"array", NULL},
    {"kind", NULL},
    {"candidate", NULL},
    {"excess_before", NULL},
    {"sample_excess", NULL},
    {"units", NULL},
    {"ideal", NULL},
    {"excess", NULL},
    {"same", NULL},
    {"free", NULL},
    {"best", NULL},
    {"aligned_bytes", NULL},
    {"shared_bytes", NULL},
    {"blocks_per_sm", NULL},
    {"warps_per_sm", NULL},
    {"occupancy_percent", NULL},
    {"code", NULL},
    DEVICE_COLUMNS,
};

static uint64_t excess(const struct cost *cost)
{
    return cost->units - cost->ideal;
}

static double percent(const struct occupancy *occupancy)
{
    return 100.0 * occupancy->warps / occupancy->most_warps;
}

static void print_name(const struct candidate *c, char *out, size_t size)
{
    if (c->is_pad)
        (void)snprintf(out, size, "%" PRIu64, c->pad);
    else
        (void)snprintf(out, size, "Swizzle<%u,%u,%u>", c->swizzle.b, c->swizzle.m, c->swizzle.s);
}

struct table *advice_table(void)
{
    return table_new(columns, sizeof columns / sizeof *columns);
}

static void add_trial(struct table *table, const struct trial *trial)
{
    table_count(table, trial->shared_bytes);
    table_count(table, trial->occupancy.blocks);
    table_count(table, trial->occupancy.warps);
    table_real(table, percent(&trial->occupancy), 1);
}

static void add_cost(struct table *table, const struct cost *cost)
{
    table_count(table, cost->units);
    table_count(table, cost->ideal);
    table_count(table, excess(cost));
}

static void absent(struct table *table, unsigned count)
{
    while (count--)
        table_absent(table);
}

static void add_candidate(struct table *table, const struct layout *l, const struct candidate *c)
{
    char text[80];
    print_name(c, text, sizeof text);
    table_text(table, c->is_pad ? "pad" : "swizzle");
    table_text(table, text);
    table_count(table, excess(&l->now.cost));
    if (c->runs)
        table_count(table, excess(&c->sample.cost));
    else
        table_absent(table);
    if (c->has_trial)
        add_cost(table, &c->trial.cost);
    else
        absent(table, 3);
    table_text(table, c->same ? "yes" : "no");
    table_text(table, c->is_clean ? "yes" : "no");
    table_text(table, c == l->pad || c == l->swizzle ? "yes" : "no");
    table_count(table, layout_alignment(l, c));
    if (c->has_trial)
        add_trial(table, &c->trial);
    else
        absent(table, 4);
    swizzle_print(&c->swizzle, text, sizeof text);
    if (c->is_pad)
        table_absent(table);
    else
        table_text(table, text);
}

void advice_rows(struct table *table, const struct layout *l, const char *name)
{
    table_text(table, name);
    table_text(table, l->uses.array->name);
    table_text(table, "none");
    table_absent(table);
    table_count(table, excess(&l->now.cost));
    table_count(table, excess(&l->before.cost));
    add_cost(table, &l->now.cost);
    table_text(table, "yes");
    table_text(table, excess(&l->now.cost) ? "no" : "yes");
    table_text(table, excess(&l->now.cost) ? "no" : "yes");
    table_count(table, layout_alignment(l, NULL));
    add_trial(table, &l->now);
    table_absent(table);
    table_device(table, l->scenario->device);
    for (unsigned i = 0; i < l->count; i++) {
        table_text(table, name);
        table_text(table, l->uses.array->name);
        add_candidate(table, l, &l->list[i]);
        table_device(table, l->scenario->device);
    }
}

/* An array with its sizes: "tile[16][16]". */
static void print_array(const struct layout *l, FILE *out)
{
    (void)fputs(l->uses.array->name, out);
    for (unsigned d = 0; d < l->uses.dimensions; d++)
        if (l->uses.sizes[d])
            (void)fprintf(out, "[%" PRIu64 "]", l->uses.sizes[d]);
        else
            (void)fputs("[]", out);
}

static void print_sites(const struct layout *l, FILE *out)
{
    const struct program *program = l->scenario->program;
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site *site = &program->sites[i];
        const struct source *text = site->place.source;
        if (!target_has(&l->target, program, i))
            continue;
        struct target one = {false, i};
        struct cost cost = cost_of(&l->tally, program, &one);
        (void)fprintf(out, "  line %d: %s %.*s: %" PRIu64 " wavefronts, ideal %" PRIu64 "\n", site->line,
                      site->kind->op_name, (int)(site->place.end - site->place.begin),
                      text->bytes + site->place.begin, cost.units, cost.ideal);
    }
}

/* What the change costs beside the excess. */
static void print_price(const struct layout *l, const struct candidate *c, FILE *out)
{
    const struct trial *t = &c->trial;
    unsigned aligned = layout_alignment(l, c), before = layout_alignment(l, NULL);
    (void)fprintf(out,
                  "    excess %" PRIu64 " -> %" PRIu64 ", shared bytes %" PRIu64 " -> %" PRIu64
                  ", warps/SM %u -> %u\n",
                  excess(&l->now.cost), excess(&t->cost), l->now.shared_bytes, t->shared_bytes,
                  l->now.occupancy.warps, t->occupancy.warps);
    if (aligned < before)
        (void)fprintf(out, "    vector accesses of more than %u byte%s no longer fit (they did up to %u)\n",
                      aligned, aligned == 1 ? "" : "s", before);
    else
        (void)fprintf(out, "    vector accesses fit as before, up to %u bytes\n", aligned);
}

static void print_kind(const struct layout *l, bool is_pad, FILE *out)
{
    const struct candidate *best = is_pad ? l->pad : l->swizzle;
    unsigned tried = is_pad ? l->pads : l->swizzles, clean = is_pad ? l->clean_pads : l->clean_swizzles,
             shown = 0;
    const char *why = is_pad ? l->no_pads : l->no_swizzles;
    char name[80];
    if (why[0]) {
        (void)fprintf(out, "\n%s: none tried: %s\n", is_pad ? "pads" : "swizzles", why);
        return;
    }
    (void)fprintf(out, "\n%s: %u tried, ", is_pad ? "pads" : "swizzles", tried);
    if (is_pad)
        (void)fprintf(out, "1 to %u elements more %s: each that there is modulo the %u bytes of the banks; ",
                      tried, l->uses.dimensions > 1 ? "a row" : "after every 128 bytes", BANK_PERIOD);
    (void)fprintf(out, clean ? "%u free of excess" : "none is free of excess", clean);
    for (unsigned i = 0; clean && i < l->count && shown < 16; i++)
        if (l->list[i].is_clean && l->list[i].is_pad == is_pad) {
            print_name(&l->list[i], name, sizeof name);
            (void)fprintf(out, "%s%s", shown++ ? ", " : ": ", name);
        }
    (void)fprintf(out, "%s\n", clean > shown ? ", ..." : "");
    if (!best || !best->has_trial)
        return;
    print_name(best, name, sizeof name);
    if (is_pad) {
        (void)fprintf(out, "  the %s: %s element%s\n", clean ? "smallest" : "least bad in the sample", name,
                      best->pad == 1 ? "" : "s");
    } else {
        unsigned elem = 0;
        for (unsigned bytes = l->elem_bytes; bytes > 1; bytes /= 2)
            elem++;
        (void)fprintf(out, "  the %s: %s on byte offsets from its beginning, Swizzle<%u,%u,%u> on elements\n",
                      clean ? "simplest" : "least bad in the sample", name, best->swizzle.b,
                      best->swizzle.m - elem, best->swizzle.s);
        swizzle_print(&best->swizzle, name, sizeof name);
        (void)fprintf(out, "    as C: %s\n", name);
    }
    print_price(l, best, out);
    edits_print(best->edits, &l->scenario->text, out);
}

void print_layout(const struct layout *l, FILE *out)
{
    (void)fputc('\n', out);
    print_array(l, out);
    (void)fprintf(out, ", elements of %u byte%s: excess %" PRIu64 " of %" PRIu64 " wavefronts\n",
                  l->elem_bytes, l->elem_bytes == 1 ? "" : "s", excess(&l->now.cost), l->now.cost.units);
    print_sites(l, out);
    if (!excess(&l->now.cost)) {
        (void)fputs("  free of excess: nothing to change\n", out);
        return;
    }
    print_kind(l, true, out);
    print_kind(l, false, out);
}

static void print_global_sites(const struct global *g, FILE *out)
{
    const struct program *program = g->scenario->program;
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site *site = &program->sites[i];
        const struct site_tally *sum = &g->tally.sites[i];
        if (site->kind->space == SPACE_GLOBAL && sum->requests)
            (void)fprintf(out, "  line %d: %s %.*s: %" PRIu64 " sectors, ideal %" PRIu64 "\n", site->line,
                          site->kind->op_name, (int)(site->place.end - site->place.begin),
                          site->place.source->bytes + site->place.begin, sum->units, sum->ideal);
    }
}

static void print_change(const struct global *g, const struct change *change, FILE *out)
{
    const struct trial *t = &change->trial;
    (void)fprintf(out, "\n%s: %s\n", change_kind_name(change->kind), change->what);
    if (!change->runs) {
        (void)fputs("  cannot be made to this text: it does not run then\n", out);
    } else if (!change->same) {
        (void)fputs("  changes what the kernel does, so it is no advice\n", out);
    } else if (!change->helps) {
        (void)fprintf(out, "  helps nothing: %" PRIu64 " sectors -> %" PRIu64 "\n", g->now.sectors,
                      t->sectors);
    } else {
        (void)fprintf(out,
                      "  sectors %" PRIu64 " -> %" PRIu64 ", ideal %" PRIu64 " -> %" PRIu64
                      "; wavefronts %" PRIu64 " -> %" PRIu64 ", warps/SM %u -> %u\n",
                      g->now.sectors, t->sectors, g->now.ideal_sectors, t->ideal_sectors, g->now.wavefronts,
                      t->wavefronts, g->now.occupancy.warps, t->occupancy.warps);
        if (t->sectors == t->ideal_sectors)
            (void)fputs("  that is ideal\n", out);
        if (change->edits->count)
            edits_print(change->edits, &g->scenario->text, out);
    }
}

void print_global(const struct global *g, FILE *out)
{
    (void)fprintf(out, "\nglobal memory: %" PRIu64 " sectors, ideal %" PRIu64 "\n", g->now.sectors,
                  g->now.ideal_sectors);
    print_global_sites(g, out);
    if (g->now.sectors == g->now.ideal_sectors)
        (void)fputs("  ideal: nothing to change\n", out);
    else if (!g->count)
        (void)fputs("  no change of axes, beginnings, rows or vectors applies\n", out);
    for (unsigned i = 0; i < g->count; i++)
        print_change(g, &g->list[i], out);
}

static void add_sectors(struct table *table, const struct trial *t)
{
    table_count(table, t->sectors);
    table_count(table, t->ideal_sectors);
    table_count(table, t->sectors - t->ideal_sectors);
}

void advice_global_rows(struct table *table, const struct global *g, const char *name)
{
    uint64_t before = g->now.sectors - g->now.ideal_sectors;
    for (int i = -1; i < (int)g->count; i++) {
        const struct change *change = i < 0 ? NULL : &g->list[i];
        const struct trial *t = change ? &change->trial : &g->now;
        bool counted = !change || change->same;
        table_text(table, name);
        table_text(table, "global");
        table_text(table, change ? change_kind_name(change->kind) : "none");
        if (change)
            table_text(table, change->what);
        else
            table_absent(table);
        table_count(table, before);
        table_absent(table);
        if (counted)
            add_sectors(table, t);
        else
            absent(table, 3);
        table_text(table, counted ? "yes" : "no");
        table_text(table, counted && t->sectors == t->ideal_sectors ? "yes" : "no");
        table_text(table, change ? (change->helps ? "yes" : "no") : before ? "no" : "yes");
        table_absent(table);
        if (counted)
            add_trial(table, t);
        else
            absent(table, 4);
        table_absent(table);
        table_device(table, g->scenario->device);
    }
}
