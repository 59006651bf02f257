/* gather_findings.c - what was gathered, as findings: kinds, examples, sentences. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gather.h"
#include "structure.h"

enum { NAME_SIZE = 120 };

/* The access's own text on one line, cut where it is long. */
static void site_text(const struct site *site, char out[NAME_SIZE])
{
    size_t used = 0;
    const struct place *place = &site->place;
    for (uint32_t i = place->begin; place->source && i < place->end && used < NAME_SIZE - 50; i++) {
        char c = place->source->bytes[i];
        bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (blank && (!used || out[used - 1] == ' '))
            continue;
        out[used++] = blank ? ' ' : c;
    }
    out[used] = '\0';
    if (place->source && used >= NAME_SIZE - 50)
        (void)snprintf(out + used, NAME_SIZE - used, "...");
    if (!used)
        (void)snprintf(out, NAME_SIZE, "this %s", site->kind->name);
}

void gather_shared_name(const struct program *program, int buffer, uint64_t bytes, char *out, size_t size)
{
    const struct shared_array *array = &program->shared[buffer];
    uint64_t element = type_size(&array->element);
    int64_t index = ((int64_t)bytes - (int64_t)array->offset) / (int64_t)(element ? element : 1);
    if (array->type.kind == TYPE_ARRAY && array->type.to->kind == TYPE_ARRAY && index >= 0) {
        int64_t width = (int64_t)(type_size(array->type.to) / element);
        (void)snprintf(out, size, "%s[%" PRId64 "][%" PRId64 "]", array->name, index / width, index % width);
    } else {
        (void)snprintf(out, size, "%s[%" PRId64 "]", array->name, index);
    }
}

/* "in(3,6)" for a byte of a matrix, "w[17]" for one of another buffer. */
static void global_name(const struct gather *g, int buffer, int64_t bytes, char out[NAME_SIZE])
{
    const char *name = g->program->parameters[buffer].name;
    int64_t cols = buffer == g->task.out ? task_out_cols(&g->task) : g->task.cols;
    int64_t cell = bytes / (int64_t)g->task.elem_bytes;
    if ((buffer != g->task.out && buffer != g->task.in) || bytes < 0)
        (void)snprintf(out, NAME_SIZE, "byte %" PRId64 " of %s", bytes, name);
    else
        (void)snprintf(out, NAME_SIZE, "%s(%" PRId64 ",%" PRId64 ")", name, cell / cols, cell % cols);
}

static void token_name(const struct gather *g, int64_t token, char out[NAME_SIZE])
{
    struct origin origin = data_origin(token);
    switch (origin.kind) {
    case ORIGIN_UNINITIALIZED:
        (void)snprintf(out, NAME_SIZE, "shared memory that nobody wrote");
        break;
    case ORIGIN_COMPUTED:
        (void)snprintf(out, NAME_SIZE, "a result of arithmetic");
        break;
    case ORIGIN_CONSTANT:
        (void)snprintf(out, NAME_SIZE, "the constant %" PRId64, origin.offset);
        break;
    case ORIGIN_BUFFER:
        global_name(g, (int)origin.buffer, origin.offset, out);
        break;
    }
}

static void thread_name(const struct finding_thread *t, char out[NAME_SIZE])
{
    if (t->block[2])
        (void)snprintf(out, NAME_SIZE, "block (%u,%u,%u), warp %u, lane %u", t->block[0], t->block[1],
                       t->block[2], t->warp, t->lane);
    else
        (void)snprintf(out, NAME_SIZE, "block (%u,%u), warp %u, lane %u", t->block[0], t->block[1], t->warp,
                       t->lane);
}

static struct finding *add_at(const struct gather *g, struct findings *findings, enum finding_kind kind,
                              unsigned id, const struct gathered *gathered)
{
    const struct site *site = &g->program->sites[id];
    struct finding *finding = findings_add(findings, kind);
    findings_place(finding, &site->place);
    finding->line = site->line;
    finding->site = (int)id;
    finding->lanes = gathered->lanes;
    finding->has_thread = true;
    finding->thread = gathered->thread;
    finding->is_shared = site->kind->space == SPACE_SHARED;
    return finding;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Which shared array a byte lies in, or the nearest before it. */
static int array_at(const struct program *program, int64_t bytes)
{
    int best = program->shared_count ? 0 : -1;
    for (unsigned i = 0; i < program->shared_count; i++)
        if ((int64_t)program->shared[i].offset <= bytes &&
            program->shared[i].offset >= program->shared[best].offset)
            best = (int)i;
    return best;
}

static void place_name(const struct gather *g, struct finding *finding, const struct site *site,
                       int64_t offset, char out[NAME_SIZE])
{
    if (site->kind->space == SPACE_SHARED) {
        finding->buffer = site->buffer >= 0 ? site->buffer : array_at(g->program, offset);
        gather_shared_name(g->program, finding->buffer, (uint64_t)offset, out, NAME_SIZE);
    } else if (site->buffer >= 0) {
        finding->buffer = site->buffer;
        global_name(g, site->buffer, offset, out);
    } else {
        (void)snprintf(out, NAME_SIZE, "byte %" PRId64, offset);
    }
}

static void say_faulty_lanes(const struct gather *g, unsigned id, struct findings *findings)
{
    const struct site *site = &g->program->sites[id];
    const struct gathered *at = g->sites[id];
    char text[NAME_SIZE], cell[NAME_SIZE], who[NAME_SIZE];
    site_text(site, text);
    if (at[GATHERED_OUT_OF_BOUNDS].lanes) {
        struct finding *f = add_at(g, findings, FINDING_OUT_OF_BOUNDS, id, &at[GATHERED_OUT_OF_BOUNDS]);
        place_name(g, f, site, at[GATHERED_OUT_OF_BOUNDS].offset, cell);
        thread_name(&f->thread, who);
        findings_say(f,
                     "%s %s outside its %s: %" PRIu64 " lane access%s; the first is %s at %s: a guard is "
                     "missing, or the index is wrong",
                     text, site->kind->writes ? "writes" : "reads",
                     site->kind->space == SPACE_SHARED ? "array" : "buffer", f->lanes,
                     f->lanes == 1 ? "" : "es", who, cell);
    }
    if (at[GATHERED_MISALIGNED].lanes) {
        struct finding *f = add_at(g, findings, FINDING_MISALIGNED, id, &at[GATHERED_MISALIGNED]);
        place_name(g, f, site, at[GATHERED_MISALIGNED].offset, cell);
        thread_name(&f->thread, who);
        findings_say(f,
                     "%s moves %u bytes a lane from an address that is no multiple of %u, which is an error "
                     "on hardware: %" PRIu64 " lane access%s; the first is %s at byte %" PRId64,
                     text, site->lane_bytes, site->lane_bytes, f->lanes, f->lanes == 1 ? "" : "es", who,
                     at[GATHERED_MISALIGNED].offset);
    }
    if (at[GATHERED_UNSET].lanes) {
        struct finding *f = add_at(g, findings, FINDING_UNSET_READ, id, &at[GATHERED_UNSET]);
        place_name(g, f, site, at[GATHERED_UNSET].offset, cell);
        thread_name(&f->thread, who);
        findings_say(f,
                     "%s reads shared memory that no thread wrote: %" PRIu64 " lane%s; the first is %s at %s",
                     text, f->lanes, plural(f->lanes), who, cell);
    }
}

static void say_meetings(const struct gather *g, unsigned id, bool strict, struct findings *findings)
{
    const struct site *site = &g->program->sites[id];
    const struct gathered *at = g->sites[id];
    char text[NAME_SIZE], cell[NAME_SIZE], who[NAME_SIZE];
    site_text(site, text);
    for (int k = 0; k < 2; k++) {
        const struct gathered *meet = &at[k ? GATHERED_MEETING : GATHERED_CLASH];
        if (!meet->lanes)
            continue;
        struct finding *f = add_at(g, findings, k ? FINDING_MEETING : FINDING_CLASH, id, meet);
        place_name(g, f, site, meet->offset, cell);
        thread_name(&f->thread, who);
        findings_say(f,
                     k ? "%" PRIu64 " lanes of %s store the value that another lane of the same instruction "
                         "stores there too; the first is %s at %s"
                       : "%" PRIu64 " lanes of %s store to a cell where another lane of the same instruction "
                         "stores a different value, and which of them stays is not defined; the first is %s "
                         "at %s",
                     f->lanes, text, who, cell);
    }
    if (at[GATHERED_UNORDERED].lanes) {
        const struct gathered *pass = &at[GATHERED_UNORDERED];
        struct finding *f = add_at(g, findings, FINDING_WARP_RACE, id, pass);
        f->severity = strict ? FINDING_FAULT : FINDING_NOTE;
        f->cells = pass->lanes;
        f->lanes = 0;
        place_name(g, f, site, pass->offset, cell);
        thread_name(&f->thread, who);
        findings_say(f,
                     "%" PRIu64 " shared cell%s pass between lanes of one warp without a __syncwarp() before "
                     "%s: right while the lanes run in step, which CUDA does not promise since Volta; first "
                     "in block (%u,%u), warp %u",
                     f->cells, plural(f->cells), text, f->thread.block[0], f->thread.block[1],
                     f->thread.warp);
    }
}

static void set_cell(const struct gather *g, struct finding *finding, uint64_t cell)
{
    finding->has_cell = true;
    finding->buffer = g->task.out;
    finding->row = cell / task_out_cols(&g->task);
    finding->col = cell % task_out_cols(&g->task);
}

/* Cells, where one store alone is to blame for them; otherwise its lanes are all that is known. */
static void count_cells(const struct gather *g, struct finding *finding, enum gathered_kind kind,
                        uint64_t cells)
{
    unsigned sites = 0;
    for (unsigned i = 0; i < g->program->site_count; i++)
        sites += g->sites[i][kind].lanes != 0;
    finding->cells = sites == 1 && cells <= finding->lanes ? cells : 0;
}

static void say_wrong(const struct gather *g, unsigned id, const struct owners_report *cells,
                      struct findings *findings)
{
    const struct gathered *at = g->sites[id], *wrong = &at[GATHERED_WRONG];
    uint64_t torn = at[GATHERED_TORN].lanes, computed = at[GATHERED_COMPUTED].lanes;
    char text[NAME_SIZE], got[NAME_SIZE], due[NAME_SIZE], cell[NAME_SIZE], who[NAME_SIZE];
    if (!wrong->lanes || (g->in_place && !cells->wrong))
        return;
    enum finding_kind kind = torn                       ? FINDING_TORN
                             : computed == wrong->lanes ? FINDING_COMPUTED
                                                        : FINDING_WRONG;
    const struct gathered *shown = torn ? &at[GATHERED_TORN] : wrong;
    struct finding *f = add_at(g, findings, kind, id, shown);
    f->lanes = wrong->lanes;
    f->stale = at[GATHERED_STALE].lanes == wrong->lanes;
    f->partly_stale = at[GATHERED_STALE].lanes != 0;
    f->outside = at[GATHERED_OUTSIDE].lanes == wrong->lanes;
    count_cells(g, f, GATHERED_WRONG, cells->wrong + cells->disagreeing);
    set_cell(g, f, shown->cell);
    site_text(&g->program->sites[id], text);
    thread_name(&f->thread, who);
    token_name(g, shown->token, got);
    int64_t expected = task_expected(&g->task, shown->cell);
    if (expected < 0)
        (void)snprintf(due, sizeof due, "nothing of the input");
    else
        global_name(g, g->task.in, expected, due);
    global_name(g, g->task.out, (int64_t)(shown->cell * g->task.elem_bytes), cell);
    char count[60] = "";
    (void)snprintf(count, sizeof count, "%" PRIu64 " %s", f->cells ? f->cells : f->lanes,
                   f->cells ? "cell" : "lane write");
    if (kind == FINDING_TORN)
        findings_say(f, "%s fills %s%s with a vector of which only a part is right; the first is %s at %s",
                     text, count, plural(f->cells ? f->cells : f->lanes), who, cell);
    else
        findings_say(f, "%s gets %s%s wrong; the first: %s stores %s to %s, where %s belongs", text, count,
                     plural(f->cells ? f->cells : f->lanes), who, got, cell, due);
}

static void say_again(const struct gather *g, unsigned id, const struct owners_report *cells,
                      struct findings *findings)
{
    char text[NAME_SIZE], cell[NAME_SIZE], who[NAME_SIZE];
    site_text(&g->program->sites[id], text);
    for (int k = 0; k < 2 && !g->in_place; k++) {
        const struct gathered *again = &g->sites[id][k ? GATHERED_TWICE : GATHERED_DISAGREE];
        if (!again->lanes)
            continue;
        struct finding *f = add_at(g, findings, k ? FINDING_TWICE : FINDING_DISAGREE, id, again);
        f->stale = g->sites[id][GATHERED_STALE].lanes != 0 &&
                   g->sites[id][GATHERED_STALE].lanes == g->sites[id][GATHERED_WRONG].lanes;
        count_cells(g, f, k ? GATHERED_TWICE : GATHERED_DISAGREE,
                    k ? cells->written_twice - cells->disagreeing : cells->disagreeing);
        set_cell(g, f, again->cell);
        thread_name(&f->thread, who);
        global_name(g, g->task.out, (int64_t)(again->cell * g->task.elem_bytes), cell);
        findings_say(f,
                     k ? "%s writes %" PRIu64 " time%s what was there already; the first is %s at %s"
                       : "%s writes %" PRIu64 " time%s to a cell that another store gives another value, and "
                         "which of them stays is not defined; the first is %s at %s",
                     text, f->lanes, plural(f->lanes), who, cell);
    }
}

/* The access of that kind to that buffer that most lanes run; -1: none. */
static int main_site(const struct gather *g, enum access_kind_id kind, int buffer)
{
    int best = -1;
    for (unsigned i = 0; i < g->program->site_count; i++) {
        const struct site *site = &g->program->sites[i];
        if (site->kind->id == kind && (site->buffer < 0 || site->buffer == buffer) &&
            (best < 0 || g->runs[i] > g->runs[best]))
            best = (int)i;
    }
    return best;
}

static void say_missing(const struct gather *g, const struct owners_report *cells,
                        const struct owners_hole *hole, struct findings *findings)
{
    struct finding *f = findings_add(findings, FINDING_MISSING);
    int store = main_site(g, GLOBAL_STORE, g->task.out);
    struct place guard;
    uint64_t cell = hole->row * task_out_cols(&g->task) + hole->col;
    char where[NAME_SIZE] = "", which[NAME_SIZE], due[NAME_SIZE], name[NAME_SIZE];
    set_cell(g, f, cell);
    f->cells = cells->missing;
    if (store >= 0) {
        const struct site *site = &g->program->sites[store];
        findings_place(f, &site->place);
        f->site = store;
        f->line = f->other_line = site->line;
        if (structure_guard(g->program, (unsigned)store, hole->inside, &guard)) {
            findings_place(f, &guard);
            (void)snprintf(where, sizeof where, ": no lane comes to the store in line %d for them",
                           site->line);
        }
    }
    global_name(g, g->task.out, (int64_t)(cell * g->task.elem_bytes), name);
    global_name(g, g->task.in, task_expected(&g->task, cell), due);
    if (cells->missing == hole->in_row)
        (void)snprintf(which, sizeof which, "row %" PRIu64 " of the output", hole->row);
    else if (cells->missing == hole->in_col)
        (void)snprintf(which, sizeof which, "column %" PRIu64 " of the output", hole->col);
    else
        (void)snprintf(which, sizeof which, "%" PRIu64 " cell%s", cells->missing, plural(cells->missing));
    findings_say(f, "%s %s never written%s; the first is %s, where %s belongs", which,
                 cells->missing == 1 || *which > '9' ? "is" : "are", where, name, due);
}

void gather_settle(struct gather *g)
{
    uint64_t cells = task_cells(&g->task), cols = g->task.cols;
    struct unread *unread = &g->unread;
    bool blamed = false;
    for (unsigned i = 0; i < g->program->site_count && g->read && !g->in_place && !blamed; i++) {
        const struct gathered *wrong = &g->sites[i][GATHERED_WRONG];
        unread->due = wrong->lanes ? (uint64_t)task_expected(&g->task, wrong->cell) / g->task.elem_bytes : 0;
        unread->out = wrong->cell;
        blamed = wrong->lanes && unread->due < cells && !(g->read[unread->due / 8] >> unread->due % 8 & 1);
    }
    for (uint64_t i = 0; blamed && i < cells; i++) {
        bool missed = !(g->read[i / 8] >> i % 8 & 1), inside = i >= cols && i + cols < cells;
        unread->cells += missed;
        unread->inside = unread->inside || (missed && inside && i % cols != 0 && i % cols != cols - 1);
    }
}

/* What a wrong cell should hold was never read: the load is to blame, or what keeps lanes from it. */
static void say_unloaded(const struct gather *g, struct findings *findings)
{
    const struct unread *unread = &g->unread;
    int load = main_site(g, GLOBAL_LOAD, g->task.in);
    struct place guard;
    char name[NAME_SIZE], cell[NAME_SIZE], why[NAME_SIZE] = "";
    if (!unread->cells || load < 0)
        return;
    const struct site *site = &g->program->sites[load];
    struct finding *f = findings_add(findings, FINDING_UNLOADED);
    findings_place(f, &site->place);
    f->line = f->other_line = site->line;
    f->site = load;
    f->cells = unread->cells;
    f->has_cell = true;
    f->buffer = g->task.in;
    f->row = unread->due / g->task.cols;
    f->col = unread->due % g->task.cols;
    bool skips = g->runs[load] * site->lane_bytes < task_cells(&g->task) * g->task.elem_bytes;
    if (skips && structure_guard(g->program, (unsigned)load, unread->inside, &guard))
        findings_place(f, &guard);
    if (skips)
        (void)snprintf(why, sizeof why, ", because too few lanes come to the load in line %d", site->line);
    global_name(g, g->task.in, (int64_t)(unread->due * g->task.elem_bytes), name);
    global_name(g, g->task.out, (int64_t)(unread->out * g->task.elem_bytes), cell);
    findings_say(
        f, "%" PRIu64 " element%s of the input %s never read%s, for example %s, which belongs in %s: %s",
        unread->cells, plural(unread->cells), unread->cells == 1 ? "is" : "are", why, name, cell,
        skips ? "a loop or a guard ends too early" : "the index of the load is wrong");
}

void gather_findings(const struct gather *g, const struct owners_report *cells,
                     const struct owners_hole *hole, bool strict, struct findings *findings)
{
    for (unsigned id = 0; id < g->program->site_count; id++) {
        say_faulty_lanes(g, id, findings);
        say_meetings(g, id, strict, findings);
        say_wrong(g, id, cells, findings);
        say_again(g, id, cells, findings);
    }
    if (g->missed_warps) {
        struct finding *f = findings_add(findings, FINDING_BARRIER_DIVERGED);
        findings_place(f, &g->missed);
        f->lanes = 0;
        findings_say(
            f,
            "not all threads of the block reach this barrier: %" PRIu64
            " warp%s ended without it, first in block (%u,%u); what a barrier does then is not defined",
            g->missed_warps, plural(g->missed_warps), g->missed_thread.block[0], g->missed_thread.block[1]);
    }
    say_unloaded(g, findings);
    if (hole)
        say_missing(g, cells, hole, findings);
}
