#include "lane.h"
#include "lane_compiled.h"
#include "words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../lang/path.h"

struct stopper {
    uint64_t step;
    bool seen;
};

static void take_access(void *self, const struct access *access)
{
    struct stopper *stopper = self;
    stopper->seen = stopper->seen || access->step == stopper->step;
}

static bool stand_at(struct lane_glass *glass, const struct session *session, const struct trace_access *at)
{
    const struct scenario *s = &session->scenario;
    struct problem problem = {0};
    if (glass->stands && glass->step == at->access.step &&
        memcmp(glass->block, at->access.block, sizeof glass->block) == 0)
        return true;
    if (!glass->execution) {
        struct launch launch = s->launch;
        launch.budget = LANE_BUDGET;
        glass->execution = execution_new(s->program, &launch, true, &problem);
    }
    struct stopper stopper = {at->access.step, false};
    struct sink sink = {.self = &stopper, .access = take_access, .stop = &stopper.seen};
    if (glass->execution)
        (void)execution_run_block(glass->execution, at->access.block, &sink, &problem);
    glass->stands = stopper.seen;
    glass->step = at->access.step;
    memcpy(glass->block, at->access.block, sizeof glass->block);
    return glass->stands;
}

void lane_glass_free(struct lane_glass *glass)
{
    execution_free(glass->execution);
    *glass = (struct lane_glass){0};
}

struct teller {
    const struct execution *execution;
    const struct program *program;
    const struct kernel_tree *tree;
    unsigned lane;
    struct words words;
    const struct symbol *defined[8]; /* said already */
    unsigned defined_count;
};

static bool read_register(void *self, unsigned index, int64_t *value)
{
    const struct teller *t = self;
    return execution_lane_number(t->execution, index, t->lane, value);
}

static bool value_of(struct teller *t, const struct expr *e, int64_t *value)
{
    const struct registers registers = {t, read_register};
    return path_value(t->program, e, &registers, value);
}

static const struct expr *bare(const struct expr *e)
{
    while (e->kind == EXPR_CONVERT)
        e = e->a;
    return e;
}

static bool is_leaf(const struct expr *e)
{
    return e->kind == EXPR_INTEGER || e->kind == EXPR_BUILTIN || e->kind == EXPR_VARIABLE ||
           e->kind == EXPR_COMPONENT;
}

static int strength(const struct expr *e)
{
    if (e->kind != EXPR_BINARY)
        return is_leaf(e) ? 9 : 0;
    return e->op == '*' || e->op == '/' || e->op == '%' ? 3 : e->op == '+' || e->op == '-' ? 2 : 1;
}

/* The expression with numbers in the place of its names: 2*32+7. */
static void say_numbers(struct teller *t, const struct expr *e, int around)
{
    int64_t value;
    e = bare(e);
    if (e->kind == EXPR_BINARY) {
        int own = strength(e);
        words_say(&t->words, "%s", own < around ? "(" : "");
        say_numbers(t, e->a, own);
        if (e->op < 128)
            words_say(&t->words, "%c", (char)e->op);
        else
            words_say(&t->words, "%s", (e->op & 0x7f) == '<' ? "<<" : ">>");
        say_numbers(t, e->b, own + 1);
        words_say(&t->words, "%s", own < around ? ")" : "");
    } else if (value_of(t, e, &value)) {
        words_say(&t->words, value < 0 && around > 1 ? "(%" PRId64 ")" : "%" PRId64, value);
    } else {
        words_say(&t->words, "?");
    }
}

/* The text that an expression stands for, on one line; the name alone of what a name is. */
static void say_text(struct teller *t, const struct expr *e)
{
    if (e->in_macro || !e->source || e->end <= e->begin || e->end - e->begin > 60) {
        say_numbers(t, e, 0);
        return;
    }
    for (uint32_t i = e->begin; i < e->end; i++) {
        char c = e->source->bytes[i];
        if (!isspace((unsigned char)c))
            words_say(&t->words, "%c", c);
        else if (i + 1 < e->end && !isspace((unsigned char)e->source->bytes[i + 1]))
            words_say(&t->words, " ");
    }
}

static bool is_defined(const struct teller *t, const struct symbol *symbol)
{
    for (unsigned i = 0; i < t->defined_count; i++)
        if (t->defined[i] == symbol)
            return true;
    return false;
}

/* "x = 2*32+7 = 71, " of each variable in the expression that was not said yet. */
static void say_names(struct teller *t, const struct expr *e)
{
    int64_t value;
    if (!e)
        return;
    if (e->kind == EXPR_VARIABLE && e->symbol->kind == SYMBOL_VARIABLE && !is_defined(t, e->symbol) &&
        t->defined_count < sizeof t->defined / sizeof *t->defined && value_of(t, e, &value)) {
        t->defined[t->defined_count++] = e->symbol;
        const struct expr *initial = path_definition(t->tree, e->symbol);
        int64_t of_initial;
        words_say(&t->words, "%s = ", e->symbol->name);
        if (initial && !is_leaf(bare(initial)) && value_of(t, initial, &of_initial) && of_initial == value) {
            say_numbers(t, initial, 0);
            words_say(&t->words, " = ");
        }
        words_say(&t->words, "%" PRId64 ", ", value);
        return;
    }
    say_names(t, e->a);
    say_names(t, e->b);
    say_names(t, e->c);
}

/* One side of a comparison: what is known already by its name, else with its value. */
static void say_side(struct teller *t, const struct expr *e)
{
    const struct expr *inner = bare(e);
    int64_t value;
    if (inner->kind == EXPR_INTEGER) {
        words_say(&t->words, "%" PRId64, inner->value);
        return;
    }
    say_text(t, inner);
    if (!(inner->kind == EXPR_VARIABLE && is_defined(t, inner->symbol)) && value_of(t, e, &value))
        words_say(&t->words, " (%" PRId64 ")", value);
}

static const char *operator_of(uint32_t op)
{
    char first = (char)(op & 0x7f);
    bool two = op > 0x7f;
    return first == '<' ? (two ? "<=" : "<") : first == '>' ? (two ? ">=" : ">") : first == '!' ? "!=" : "==";
}

static void say_condition(struct teller *t, const struct expr *e)
{
    e = bare(e);
    if (e->kind == EXPR_COMPARE) {
        say_side(t, e->a);
        words_say(&t->words, " %s ", operator_of(e->op));
        say_side(t, e->b);
    } else {
        say_text(t, e);
    }
}

/* The parts of a condition that all must hold (or, unwanted, none), one by one. */
enum { PARTS = 12 };

struct parts {
    const struct expr *at[PARTS];
    bool wanted[PARTS];
    unsigned count;
};

static void split(struct parts *parts, const struct expr *e, bool wanted)
{
    e = bare(e);
    if (e->kind == EXPR_NOT) {
        split(parts, e->a, !wanted);
    } else if (e->kind == (wanted ? EXPR_AND : EXPR_OR)) {
        split(parts, e->a, wanted);
        split(parts, e->b, wanted);
    } else if (parts->count < PARTS) {
        parts->at[parts->count] = e;
        parts->wanted[parts->count++] = wanted;
    }
}

/* The guard that keeps the lane out. False: none does, as far as is known. */
static bool say_why_off(struct teller *t, const struct path *path)
{
    for (unsigned i = 0; i < path->count; i++) {
        struct parts parts = {.count = 0};
        split(&parts, path->conditions[i].expr, path->conditions[i].wanted);
        for (unsigned p = 0; p < parts.count; p++) {
            int64_t value;
            if (!value_of(t, parts.at[p], &value))
                return false; /* what comes behind it may have no meaning */
            if ((value != 0) == parts.wanted[p])
                continue;
            say_names(t, parts.at[p]);
            say_condition(t, parts.at[p]);
            words_say(&t->words, " is %s: off", value ? "true" : "false");
            return true;
        }
    }
    return false;
}

/* The indices of an access, outer dimensions last, and the array or pointer that they are added to. */
static unsigned indices_of(const struct expr *memory, const struct expr *out[4], const struct expr **array)
{
    unsigned count = 0;
    const struct expr *e = memory->a ? bare(memory->a) : NULL;
    while (e && e->kind == EXPR_POINTER_ADD && count < 4) {
        out[count++] = e->b;
        e = bare(e->a);
    }
    *array = e;
    return count;
}

static void say_index(struct teller *t, const struct path *path)
{
    const struct expr *indices[4], *array;
    unsigned count = indices_of(path->memory, indices, &array);
    int64_t ignored;
    for (unsigned i = 0; i < count; i++)
        if (!value_of(t, indices[i], &ignored))
            return;
    for (unsigned i = count; i-- > 0;)
        say_names(t, indices[i]);
    if (count && array && array->symbol && array->symbol->name)
        words_say(&t->words, "%s", array->symbol->name);
    for (unsigned i = count; i-- > 0;) {
        int64_t value = 0;
        const struct expr *e = bare(indices[i]);
        (void)value_of(t, e, &value);
        words_say(&t->words, "[");
        if (!is_leaf(e)) {
            say_numbers(t, e, 0);
            words_say(&t->words, " = ");
        }
        words_say(&t->words, "%" PRId64 "]", value);
    }
    if (count)
        words_say(&t->words, "; ");
}

static void say_why_on(struct teller *t, const struct path *path)
{
    const char *between = "";
    for (unsigned i = 0; i < path->count; i++) {
        struct parts parts = {.count = 0};
        if (path->conditions[i].is_loop)
            continue;
        split(&parts, path->conditions[i].expr, path->conditions[i].wanted);
        for (unsigned p = 0; p < parts.count; p++) {
            int64_t value;
            if (!value_of(t, parts.at[p], &value) || (value != 0) != parts.wanted[p])
                continue;
            words_say(&t->words, "%s", between);
            say_condition(t, parts.at[p]);
            words_say(&t->words, "%s", value ? "" : " is false");
            between = ", ";
        }
    }
    words_say(&t->words, "%son", *between ? ": " : "");
}

void lane_explain(struct lane_glass *glass, const struct session *session, const struct trace_access *at,
                  unsigned lane, char out[LANE_SIZE])
{
    const struct scenario *s = &session->scenario;
    struct teller t = {.program = s->program, .lane = lane, .words = words_in(out, LANE_SIZE)};
    struct path path;
    bool on = at->access.mask >> lane & 1;
    if (at->access.warp * LANES + lane >= launch_threads(&s->launch)) {
        words_say(&t.words, "no such thread: the block has %u", launch_threads(&s->launch));
        return;
    }
    if (s->ptx && stand_at(glass, session, at)) {
        lane_compiled_say(s->program, glass->execution, &at->access, lane, &t.words);
        return;
    }
    t.tree = s->ptx ? NULL : unit_tree(s->unit);
    if (!t.tree || !path_to(t.tree, &at->access.site->place, &path) || !stand_at(glass, session, at)) {
        words_say(&t.words, on ? "on" : "off");
        return;
    }
    t.execution = glass->execution;
    if (on) {
        say_index(&t, &path);
        say_why_on(&t, &path);
    } else if (!say_why_off(&t, &path)) {
        t.words = words_in(out, LANE_SIZE);
        words_say(&t.words, "off");
    }
}
