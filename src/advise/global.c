#include "global.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/lang/token.h"
#include "../../sim/model/sector.h"
#include "../interrupt.h"

const char *change_kind_name(enum change_kind kind)
{
    static const char *const names[] = {"swap", "start", "rows", "vector", "together"};
    return names[kind];
}

static struct change *add(struct global *g, enum change_kind kind)
{
    struct change *change = &g->list[g->count];
    if (g->count == CHANGE_LIMIT)
        return NULL;
    *change = (struct change){.kind = kind};
    change->edits = arena_take(&g->arena, sizeof *change->edits);
    g->count++;
    return change;
}

/* The kernel's own tokens. */
static const struct token *kernel_begin(const struct global *g, const struct token_list *tokens)
{
    const struct token *at = tokens->at;
    while (at->kind != TOKEN_END && at->begin < g->scenario->program->begin)
        at++;
    return at;
}

static bool in_kernel(const struct global *g, const struct token *at)
{
    return at->kind != TOKEN_END && at->begin < g->scenario->program->end;
}

/* threadIdx.x for threadIdx.y and the other way round; the block turns with them. */
static void list_swap(struct global *g, const struct token_list *tokens)
{
    const uint32_t *block = g->scenario->launch.block;
    bool x = false, y = false;
    struct change *change = block[1] > 1 ? add(g, CHANGE_SWAP) : NULL;
    if (!change)
        return;
    for (const struct token *at = kernel_begin(g, tokens); in_kernel(g, at); at++) {
        const struct token *axis = at + 2;
        if ((!token_is(at, "threadIdx") && !token_is(at, "blockDim")) || !token_is_punct(at + 1, PUNCT1('.')))
            continue;
        bool is_x = token_is(axis, "x");
        if (!is_x && !token_is(axis, "y"))
            continue;
        x = x || is_x;
        y = y || !is_x;
        (void)edits_add(change->edits, &g->arena, axis->begin, axis->end, is_x ? "y" : "x");
    }
    change->block = (struct shape){3, {block[1], block[0], block[2]}};
    (void)snprintf(change->what, sizeof change->what,
                   "threadIdx.x and threadIdx.y exchanged, in a block of %u x %u", block[1], block[0]);
    g->count -= !x || !y;
}

static void list_start(struct global *g)
{
    const struct scenario *s = g->scenario;
    size_t used = 0;
    char names[100] = "";
    for (unsigned i = 0; i < s->program->parameter_count; i++)
        if (s->program->parameters[i].type.kind == TYPE_POINTER &&
            s->launch.arguments[i].misalignment % SECTOR_BYTES && used < sizeof names - 40)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.30s", used ? ", " : "",
                                     s->program->parameters[i].name);
    struct change *change = used ? add(g, CHANGE_START) : NULL;
    if (!change)
        return;
    change->starts = true;
    (void)snprintf(change->what, sizeof change->what, "%s at the beginning of %s allocation", names,
                   strchr(names, ',') ? "their" : "its");
}

/* `* NAME` rounded up to whole sectors. Returns whether there is any. */
static bool edit_rows(struct global *g, struct edits *edits, const struct token_list *tokens,
                      const char *name, uint64_t whole)
{
    for (const struct token *at = kernel_begin(g, tokens); in_kernel(g, at); at++)
        if (token_is(at, name) && at > tokens->at && (at - 1)->kind == TOKEN_PUNCT &&
            !token_is_punct(at - 1, PUNCT1('.')) &&
            (token_is_punct(at - 1, PUNCT1('*')) || token_is_punct(at + 1, PUNCT1('*'))))
            (void)edits_add(edits, &g->arena, at->begin, at->end,
                            "((%s + %" PRIu64 ") / %" PRIu64 " * %" PRIu64 ")", name, whole - 1, whole,
                            whole);
    return edits->count != 0;
}

static void lengthen(const struct scenario *s, struct change *change, int buffer, uint64_t row,
                     uint64_t longer)
{
    change->remap->from[buffer] = (int64_t)(longer * s->elem_bytes);
    change->remap->to[buffer] = (int64_t)(row * s->elem_bytes);
}

/* A parameter that holds the row of the input, of the output, or of both: which the text means shows when it
 * runs, so that each is tried. */
static void list_rows_of(struct global *g, const struct token_list *tokens, unsigned parameter)
{
    const struct scenario *s = g->scenario;
    const struct parameter *parameters = s->program->parameters;
    uint64_t row = (uint64_t)s->launch.arguments[parameter].value, whole = SECTOR_BYTES / s->elem_bytes;
    bool in = s->in >= 0 && row == s->cols, out = s->out >= 0 && row == (s->is_copy ? s->cols : s->rows);
    uint64_t longer = (row + whole - 1) / whole * whole;
    if (longer == row)
        return;
    for (unsigned of = 1; of < 4; of++) {
        struct change *change = (in || !(of & 1)) && (out || !(of & 2)) ? add(g, CHANGE_ROWS) : NULL;
        if (!change)
            continue;
        change->remap = arena_take(&g->arena, sizeof *change->remap);
        if (of & 1)
            lengthen(s, change, s->in, row, longer);
        if (of & 2)
            lengthen(s, change, s->out, row, longer);
        (void)snprintf(change->what, sizeof change->what,
                       "rows of %.40s%s%.40s allocated as %" PRIu64 " elements instead of %" PRIu64,
                       of & 1 ? parameters[s->in].name : "", of == 3 ? " and " : "",
                       of & 2 ? parameters[s->out].name : "", longer, row);
        g->count -= !edit_rows(g, change->edits, tokens, parameters[parameter].name, whole);
    }
}

static void list_rows(struct global *g, const struct token_list *tokens)
{
    for (unsigned i = 0; i < g->scenario->program->parameter_count; i++)
        if (g->scenario->program->parameters[i].type.kind == TYPE_INTEGER)
            list_rows_of(g, tokens, i);
}

/* Where the statement that a byte stands in begins: behind the ; { or } before it that no parentheses hold.
 */
static const struct token *statement_begin(const struct token_list *tokens, size_t byte)
{
    const struct token *at = tokens->at;
    int depth = 0;
    while (at->kind != TOKEN_END && at->begin < byte)
        at++;
    for (; at > tokens->at; at--) {
        const struct token *before = at - 1;
        depth += token_is_punct(before, PUNCT1(')'));
        if (token_is_punct(before, PUNCT1('(')) && depth > 0)
            depth--;
        else if (depth == 0 && (token_is_punct(before, PUNCT1(';')) || token_is_punct(before, PUNCT1('{')) ||
                                token_is_punct(before, PUNCT1('}'))))
            break;
    }
    return at;
}

/* The name of a vector of `width` such components: float4; NULL: there is none. */
static const char *vector_name(const struct type *type, unsigned width, char *out, size_t size)
{
    static const char *const names[2][9] = {
        [0] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulonglong"},
        [1] = {[1] = "char", [2] = "short", [4] = "int", [8] = "longlong"},
    };
    const char *name = NULL;
    if (type->components != 1 || type->has_names || type->bytes > 8)
        return NULL;
    if (type->kind == TYPE_FLOAT)
        name = type->bytes == 4 ? "float" : type->bytes == 8 ? "double" : NULL;
    else if (type->kind == TYPE_INTEGER)
        name = names[type->is_signed][type->bytes];
    if (!name || type->bytes * width > 16)
        return NULL;
    (void)snprintf(out, size, "%s%u", name, width);
    return out;
}

/* The site whose accesses lie `apart` bytes behind those of another; NULL: none. */
static const struct site *neighbour(const struct global *g, const struct site *site, int64_t apart)
{
    const struct program *program = g->scenario->program;
    const struct site_stream *of = &g->before.streams[site->id];
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site *other = &program->sites[i];
        const struct site_stream *stream = &g->before.streams[i];
        if (other->kind->id == GLOBAL_LOAD && other->lane_bytes == site->lane_bytes && !other->in_macro &&
            other->place.source == site->place.source && stream->accesses == of->accesses &&
            stream->buffer == of->buffer && stream->shape == of->shape && stream->first - of->first == apart)
            return other;
    }
    return NULL;
}

/* `width` loads that begin with this site become one, where its lanes are so far apart. */
static bool list_vector(struct global *g, const struct token_list *tokens, const struct site *site,
                        unsigned width)
{
    const struct program *program = g->scenario->program;
    const struct site_stream *stream = &g->before.streams[site->id];
    const struct site *sites[4] = {site}, *first = site;
    const struct type *type = stream->accesses ? program->parameters[stream->buffer].type.to : NULL;
    char vector[24];
    if (!type || stream->offsets % (width * site->lane_bytes) ||
        !vector_name(type, width, vector, sizeof vector) || type->bytes != site->lane_bytes)
        return false;
    for (unsigned c = 1; c < width; c++) {
        sites[c] = neighbour(g, site, (int64_t)c * site->lane_bytes);
        if (!sites[c])
            return false;
        first = sites[c]->place.begin < first->place.begin ? sites[c] : first;
    }
    struct change *change = add(g, CHANGE_VECTOR);
    if (!change)
        return false;
    const char *name = program->parameters[stream->buffer].name;
    const struct token *at = statement_begin(tokens, first->place.begin);
    size_t line = at->begin;
    while (line > 0 && site->place.source->bytes[line - 1] != '\n')
        line--;
    (void)edits_add(change->edits, &g->arena, at->begin, at->begin,
                    "const %s %s_%u = *reinterpret_cast<const %s *>(&%.*s);\n%.*s", vector, name, site->line,
                    vector, (int)(site->place.end - site->place.begin),
                    site->place.source->bytes + site->place.begin,
                    (int)strspn(site->place.source->bytes + line, " \t"), site->place.source->bytes + line);
    for (unsigned c = 0; c < width; c++) {
        g->merged[sites[c]->id] = true;
        (void)edits_add(change->edits, &g->arena, sites[c]->place.begin, sites[c]->place.end, "%s_%u.%c",
                        name, site->line, "xyzw"[c]);
    }
    (void)snprintf(change->what, sizeof change->what, "%u loads of %.40s, from line %d on, as one %s", width,
                   name, site->line, vector);
    return true;
}

static void list_vectors(struct global *g, const struct token_list *tokens)
{
    const struct program *program = g->scenario->program;
    g->merged = arena_take(&g->arena, program->site_count * sizeof *g->merged);
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site *site = &program->sites[i];
        if (g->merged[i] || site->kind->id != GLOBAL_LOAD || site->components != 1 || site->in_macro ||
            site->place.source->bytes != g->scenario->text.bytes ||
            g->tally.sites[i].units == g->tally.sites[i].ideal)
            continue;
        if (!list_vector(g, tokens, site, 4))
            (void)list_vector(g, tokens, site, 2);
    }
}

/* The changed text and launch as a scenario; both live as long as the arena. */
static bool open_change(const struct global *g, const struct change *change, struct scenario *scenario,
                        struct arena *arena, struct problem *problem)
{
    struct scenario_options options = g->options->scenario;
    options.rows = g->scenario->rows;
    options.cols = g->scenario->cols;
    if (change->block.count)
        options.block = change->block;
    struct source text = edits_apply(change->edits, &g->scenario->text, arena);
    if (!scenario_open(scenario, &text, &options, problem))
        return false;
    for (unsigned i = 0; change->starts && i < scenario->program->parameter_count; i++)
        scenario->launch.arguments[i].misalignment = 0;
    for (unsigned i = 0; change->remap && i < scenario->program->parameter_count; i++) {
        struct argument *argument = &scenario->launch.arguments[i];
        if (change->remap->from[i])
            argument->bytes =
                argument->bytes / (uint64_t)change->remap->to[i] * (uint64_t)change->remap->from[i];
    }
    return true;
}

static void try_change(struct global *g, struct change *change)
{
    const struct totals_how how = {
        .workers = options_workers(g->options), .registers = g->options->registers, .progress = NULL};
    const struct target none = {true, UINT32_MAX};
    struct scenario scenario;
    struct sample sample = {0};
    struct arena arena = {0};
    struct problem problem = {0};
    if (open_change(g, change, &scenario, &arena, &problem)) {
        change->runs = sample_of(&sample, &scenario, &none, change->remap, false, &problem);
        change->same = change->runs && sample.fingerprint == g->before.fingerprint &&
                       trial_of(&change->trial, &scenario, &none, &how, NULL, &problem) &&
                       !change->trial.partial && change->trial.faults <= g->now.faults;
        change->helps = change->same && change->trial.sectors < g->now.sectors;
        scenario_close(&scenario);
    }
    arena_free(&arena);
}

static bool overlap(const struct edits *a, const struct edits *b)
{
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < b->count; k++)
            if (a->list[i].begin < b->list[k].end + 1 && b->list[k].begin < a->list[i].end + 1)
                return true;
    return false;
}

/* Adds a change to others. False: both change the same place. */
static bool join(struct global *g, struct change *all, const struct change *change)
{
    if (overlap(all->edits, change->edits) || all->edits->count + change->edits->count > EDIT_LIMIT)
        return false;
    for (unsigned i = 0; i < change->edits->count; i++)
        all->edits->list[all->edits->count++] = change->edits->list[i];
    if (change->remap && !all->remap)
        all->remap = arena_take(&g->arena, sizeof *all->remap);
    for (unsigned i = 0; change->remap && i < 64; i++)
        if (change->remap->from[i]) {
            all->remap->from[i] = change->remap->from[i];
            all->remap->to[i] = change->remap->to[i];
        }
    if (change->block.count)
        all->block = change->block;
    all->starts = all->starts || change->starts;
    size_t used = strlen(all->what);
    (void)snprintf(all->what + used, sizeof all->what - used, "%s%s", used ? ", " : "",
                   change_kind_name(change->kind));
    return true;
}

/* The best change, and on top of it one after the other of those that need still fewer sectors then. */
static void try_together(struct global *g)
{
    unsigned parts = 0, singles = g->count;
    bool taken[CHANGE_LIMIT] = {false};
    struct change *all = add(g, CHANGE_TOGETHER);
    for (unsigned round = 0; all && round < singles && !interrupt_asked(); round++) {
        unsigned next = singles; /* the best of those that are left, by itself */
        for (unsigned i = 0; i < singles; i++)
            if (!taken[i] && g->list[i].same &&
                (next == singles || g->list[i].trial.sectors < g->list[next].trial.sectors))
                next = i;
        if (next == singles)
            break;
        taken[next] = true;
        struct change more = *all;
        more.edits = arena_take(&g->arena, sizeof *more.edits);
        *more.edits = *all->edits;
        if (all->remap) {
            more.remap = arena_take(&g->arena, sizeof *more.remap);
            *more.remap = *all->remap;
        }
        if (!join(g, &more, &g->list[next]))
            continue;
        try_change(g, &more);
        if (more.helps && (!parts || more.trial.sectors < all->trial.sectors)) {
            *all = more;
            parts++;
        }
    }
    g->count -= all && parts < 2;
}

bool global_search(struct global *g, const struct options *options, const struct scenario *scenario,
                   struct problem *problem)
{
    const struct totals_how how = {
        .workers = options_workers(options), .registers = options->registers, .progress = NULL};
    const struct target none = {true, UINT32_MAX};
    struct token_list tokens = {0};
    struct problem ignored = {0};
    *g = (struct global){.options = options, .scenario = scenario};
    if (!sample_of(&g->before, scenario, &none, NULL, true, problem) ||
        !trial_of(&g->now, scenario, &none, &how, &g->tally, problem))
        return false;
    if (g->now.sectors > g->now.ideal_sectors && tokens_of(&scenario->text, &tokens, &ignored)) {
        list_swap(g, &tokens);
        list_start(g);
        list_rows(g, &tokens);
        list_vectors(g, &tokens);
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < g->count && !interrupt_asked(); i++) {
        struct change *change = &g->list[i];
        try_change(g, change);
        if (change->same || change->kind != CHANGE_ROWS) /* those are guesses at what the text means */
            g->list[kept++] = *change;
    }
    g->count = kept;
    if (!interrupt_asked())
        try_together(g);
    token_list_free(&tokens);
    return true;
}

void global_free(struct global *g)
{
    free(g->before.streams);
    tally_free(&g->tally);
    arena_free(&g->arena);
}
