/* host_name.c - what a name of the host code stands for at a place: its last assignment before that place.
 *
 * The function's text is walked from its beginning. An assignment in a branch that does not hold the place is
 * one of several that may have happened: it counts where nothing else says a value, and makes what was
 * assigned before it an assumption. One in a loop that is over, or a variable whose address is given away, is
 * unknown. Of a loop around the place the first turn counts.
 */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "unit_state.h"

enum { BLOCK_LIMIT = 512, EVENT_LIMIT = 32 };

enum block_kind { PLAIN, BRANCH, LOOP };

enum event_kind { EVENT_VALUE, EVENT_CONSTRUCT, EVENT_BARE, EVENT_MEMBER, EVENT_COMPOUND, EVENT_GIVEN_AWAY };

struct event {
    enum event_kind kind;
    bool is_declaration, is_shape;    /* is_shape: of a dim3 */
    const struct token *name, *value; /* after =, at ( or {; at the operator of a COMPOUND */
    char member;
    unsigned block;
    enum block_kind around; /* an if or a loop without braces */
};

struct walk {
    struct host *host;
    const struct token *name; /* looked for */
    struct {
        unsigned parent;
        enum block_kind kind;
    } blocks[BLOCK_LIMIT];
    unsigned block_count, block; /* innermost */
    struct event events[EVENT_LIMIT];
    unsigned event_count;
    bool overflow;
};

/* Does a statement that begins here declare something? */
static bool is_declaration(const struct token *t)
{
    static const char *const others[] = {"return", "delete", "else", "goto", "case", "throw", "new", "using"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (token_is(t, others[i]))
            return false;
    for (;;) {
        if (t->kind != TOKEN_NAME)
            return false;
        if (token_is_punct(t + 1, PUNCT2(':', ':'))) {
            t += 2;
            continue;
        }
        break;
    }
    t++;
    if (token_is_punct(t, '<'))
        t = template_after_head(t - 1);
    while (token_is_punct(t, '*') || token_is_punct(t, '&'))
        t++;
    return t->kind == TOKEN_NAME;
}

static bool declares_shape(const struct token *statement, const struct token *name)
{
    for (const struct token *t = statement; t < name && t->kind == TOKEN_NAME; t++)
        if (token_is(t, "dim3"))
            return true;
    return false;
}

static void add_event(struct walk *w, struct event event)
{
    if (w->event_count == EVENT_LIMIT) {
        memmove(w->events, w->events + 1, (EVENT_LIMIT - 1) * sizeof *w->events);
        w->event_count--;
    }
    event.block = w->block;
    w->events[w->event_count++] = event;
}

static bool is_assignment_operator(const struct token *t)
{
    return t->kind == TOKEN_PUNCT &&
           (t->punct == PUNCT2('+', '=') || t->punct == PUNCT2('-', '=') || t->punct == PUNCT2('*', '=') ||
            t->punct == PUNCT2('/', '=') || t->punct == PUNCT2('%', '=') ||
            t->punct == PUNCT3('<', '<', '=') || t->punct == PUNCT3('>', '>', '='));
}

static bool is_step(const struct token *t)
{
    return token_is_punct(t, PUNCT2('+', '+')) || token_is_punct(t, PUNCT2('-', '-'));
}

/* Does it stand in an initial value: int a = b * name; ? */
static bool in_value(const struct token *statement, const struct token *t)
{
    int depth = 0;
    for (t--; t >= statement; t--) {
        depth += token_closes(t) - token_opens(t);
        if (depth == 0 && token_is_punct(t, ','))
            return false;
        if (depth == 0 && token_is_punct(t, '='))
            return true;
    }
    return false;
}

/* The name stands at `t`, in a statement that begins at `statement`. */
static void meet_name(struct walk *w, const struct token *statement, const struct token *t, bool at_top,
                      enum block_kind around)
{
    bool declares = at_top && t > statement && is_declaration(statement) &&
                    (t[-1].kind == TOKEN_NAME || token_is_punct(t - 1, ',') || token_is_punct(t - 1, '*') ||
                     token_is_punct(t - 1, '&') || token_is_punct(t - 1, '>')) &&
                    !in_value(statement, t);
    struct event event = {.is_declaration = declares,
                          .is_shape = declares && declares_shape(statement, t),
                          .name = t,
                          .around = around};
    if (token_is_punct(t - 1, '.') || token_is_punct(t - 1, PUNCT2('-', '>')))
        return;
    if (token_is_punct(t + 1, '=')) {
        event.kind = EVENT_VALUE;
        event.value = t + 2;
    } else if (declares && (token_is_punct(t + 1, '(') || token_is_punct(t + 1, '{'))) {
        event.kind = EVENT_CONSTRUCT;
        event.value = t + 1;
    } else if (declares && (token_is_punct(t + 1, ';') || token_is_punct(t + 1, ','))) {
        event.kind = EVENT_BARE;
    } else if (token_is_punct(t + 1, '.') && t[2].kind == TOKEN_NAME && t[2].length == 1 &&
               token_is_punct(t + 3, '=')) {
        event.kind = EVENT_MEMBER;
        event.member = t[2].text[0];
        event.value = t + 4;
    } else if (is_assignment_operator(t + 1) || is_step(t + 1) || is_step(t - 1)) {
        event.kind = EVENT_COMPOUND;
        event.value = is_step(t - 1) ? t - 1 : t + 1;
    } else if ((token_is_punct(t - 1, '&') &&
                (token_is_punct(t - 2, ',') || token_is_punct(t - 2, '(') || token_is_punct(t - 2, ')'))) ||
               (token_is_punct(t - 1, PUNCT2('>', '>')) &&
                (token_is(statement, "cin") || token_is_punct(statement + 1, PUNCT2(':', ':'))))) {
        event.kind = EVENT_GIVEN_AWAY;
    } else {
        return;
    }
    add_event(w, event);
}

static void enter(struct walk *w, enum block_kind kind)
{
    if (w->block_count == BLOCK_LIMIT) {
        w->overflow = true;
        return;
    }
    w->blocks[w->block_count].parent = w->block;
    w->blocks[w->block_count].kind = kind;
    w->block = w->block_count++;
}

/* Walks the statements from `from` to `to`. */
static void walk(struct walk *w, const struct token *from, const struct token *to)
{
    const struct token *statement = from;
    enum block_kind next = PLAIN; /* of the statement or block to come */
    unsigned parens = 0;
    w->block_count = 1;
    for (const struct token *t = from; t < to && !w->overflow; t++) {
        w->host->steps++;
        if (parens == 0 && t == statement) {
            bool is_for = token_is(t, "for"), is_while = token_is(t, "while");
            bool is_if = token_is(t, "if") || token_is(t, "switch");
            if ((is_for || is_while || is_if) && token_is_punct(t + 1, '(')) {
                const struct token *after = token_after_brackets(t + 1);
                const struct token *first = t + 2;
                enum block_kind kind = is_if ? BRANCH : LOOP;
                if (is_for) /* its first part is done before the first turn */
                    for (const struct token *i = first; i < after && i < to && !token_is_punct(i, ';'); i++)
                        if (token_same_name(i, w->name))
                            meet_name(w, first, i, true, PLAIN);
                next = next == LOOP ? LOOP : kind;
                statement = after;
                t = after - 1;
                continue;
            }
            if (token_is(t, "else") || token_is(t, "do")) {
                next = token_is(t, "do") || next == LOOP ? LOOP : BRANCH;
                statement = t + 1;
                continue;
            }
        }
        if (token_is_punct(t, '(') || token_is_punct(t, '['))
            parens++;
        else if ((token_is_punct(t, ')') || token_is_punct(t, ']')) && parens)
            parens--;
        else if (token_is_punct(t, '{') && t == statement) {
            enter(w, next);
            next = PLAIN;
            statement = t + 1;
            parens = 0;
        } else if (token_is_punct(t, '{')) {
            const struct token *after = token_after_brackets(t); /* of an initial value, or a lambda's body */
            if (after > to)
                statement = t + 1;
            else
                t = after - 1;
        } else if (token_is_punct(t, '}')) {
            w->block = w->blocks[w->block].parent;
            statement = t + 1;
            next = PLAIN;
            parens = 0;
        } else if (token_is_punct(t, ';') && parens == 0) {
            statement = t + 1;
            next = PLAIN;
        } else if (token_same_name(t, w->name)) {
            meet_name(w, statement, t, parens == 0, next);
        }
    }
}

/* How far an event is from certain at the place where the walk ended. */
static enum block_kind distance(const struct walk *w, const struct event *event)
{
    enum block_kind most = event->around;
    bool holds[BLOCK_LIMIT] = {false};
    for (unsigned b = w->block;; b = w->blocks[b].parent) {
        holds[b] = true;
        if (!b)
            break;
    }
    for (unsigned b = event->block; !holds[b]; b = w->blocks[b].parent)
        most = w->blocks[b].kind > most ? w->blocks[b].kind : most;
    return most;
}

/* Is its declaration out of sight where the walk ended? */
static bool is_out_of_sight(const struct walk *w, const struct event *event)
{
    for (unsigned b = w->block; event->is_declaration; b = w->blocks[b].parent) {
        if (b == event->block)
            return false;
        if (!b)
            return event->block != 0;
    }
    return false;
}

static struct host_value member_of(struct host_value v, char member, const struct token *at)
{
    if (!member || v.kind == HOST_UNKNOWN)
        return v;
    if (v.kind != HOST_SHAPE)
        return host_unknown(at);
    v.kind = HOST_INTEGER;
    v.n[0] = v.n[member - 'x'];
    return v;
}

static struct host_value compound(struct host *host, struct host_place place, const struct event *event,
                                  unsigned depth)
{
    struct host_place before = {place.function, event->name, place.frame};
    struct host_value a = host_name_value(host, before, event->name, 0, depth + 1), b = host_integer(1);
    if (a.kind != HOST_INTEGER)
        return host_unknown(event->name);
    uint32_t op = event->value->punct;
    if (!is_step(event->value))
        b = host_evaluate_at(
            host, before, (struct host_span){event->value + 1, host_item_end(event->value + 1)}, depth + 1);
    if (b.kind != HOST_INTEGER)
        return host_unknown(event->name);
    struct host_value v = host_integer(0);
    bool bad = true;
    if (op == PUNCT2('+', '=') || op == PUNCT2('+', '+'))
        bad = __builtin_add_overflow(a.n[0], b.n[0], &v.n[0]);
    else if (op == PUNCT2('-', '=') || op == PUNCT2('-', '-'))
        bad = __builtin_sub_overflow(a.n[0], b.n[0], &v.n[0]);
    else if (op == PUNCT2('*', '='))
        bad = __builtin_mul_overflow(a.n[0], b.n[0], &v.n[0]);
    else if (op == PUNCT2('/', '=') && b.n[0] > 0) {
        v.n[0] = a.n[0] / b.n[0];
        bad = false;
    }
    v.assumed = a.assumed || b.assumed;
    return bad ? host_unknown(event->name) : v;
}

static struct host_value event_value(struct host *host, struct host_place place, const struct event *event,
                                     char member, unsigned depth)
{
    struct host_place before = {place.function, event->name, place.frame};
    switch (event->kind) {
    case EVENT_VALUE: {
        struct host_span span = {event->value, host_item_end(event->value)};
        while (span.begin->kind == TOKEN_NAME && token_is_punct(span.begin + 1, '=')) /* a = b = 3 */
            span.begin += 2;
        return member_of(host_evaluate_at(host, before, span, depth + 1), member, event->name);
    }
    case EVENT_MEMBER: {
        struct host_span span = {event->value, host_item_end(event->value)};
        return host_evaluate_at(host, before, span, depth + 1);
    }
    case EVENT_CONSTRUCT: {
        struct host_span items[4];
        unsigned count = host_list(event->value, items, 4);
        if (count == 1 && !event->is_shape)
            return member_of(host_evaluate_at(host, before, items[0], depth + 1), member, event->name);
        struct host_value v = {.kind = HOST_SHAPE, .n = {1, 1, 1}};
        for (unsigned i = 0; i < count && i < 3; i++) {
            struct host_value part = host_evaluate_at(host, before, items[i], depth + 1);
            if (count == 1 && part.kind == HOST_SHAPE)
                return member_of(part, member, event->name);
            if (part.kind == HOST_REAL && part.real >= 0 && part.real < 5e9)
                part = (struct host_value){
                    .kind = HOST_INTEGER, .n = {(int64_t)part.real}, .assumed = part.assumed};
            if (part.kind != HOST_INTEGER)
                return host_unknown(part.kind == HOST_UNKNOWN ? part.unknown : event->name);
            v.n[i] = part.n[0];
            v.assumed = v.assumed || part.assumed;
        }
        return member_of(v, member, event->name);
    }
    case EVENT_COMPOUND:
        return compound(host, place, event, depth);
    case EVENT_BARE:
        if (event->is_shape)
            return member_of((struct host_value){.kind = HOST_SHAPE, .n = {1, 1, 1}}, member, event->name);
        break;
    case EVENT_GIVEN_AWAY:
        break;
    }
    return host_unknown(event->name);
}

/* An int variable keeps no fraction. */
static struct host_value as_declared(const struct token *declaration, struct host_value v)
{
    if (v.kind != HOST_REAL)
        return v;
    for (const struct token *t = declaration - 1; t->kind == TOKEN_NAME; t--)
        if (token_is(t, "float") || token_is(t, "double") || token_is(t, "auto"))
            return v;
    if (!(v.real > -9e18 && v.real < 9e18))
        return host_unknown(declaration);
    v.kind = HOST_INTEGER;
    v.n[0] = (int64_t)v.real;
    return v;
}

static bool find_override(const struct host *host, const struct token *declaration, int64_t *value)
{
    for (unsigned i = 0; i < host->override_count; i++)
        if (host->overrides[i].declaration == declaration) {
            *value = host->overrides[i].value;
            return true;
        }
    return false;
}

/* The value of the events; a shape whose members are set one by one takes each from its own. */
static struct host_value settle(struct host *host, struct host_place place, const struct walk *w, char member,
                                unsigned depth)
{
    struct host_value maybe = host_unknown(w->name);
    bool later = false;
    if (!member) {
        bool members = false;
        for (unsigned i = 0; i < w->event_count; i++)
            members = members || w->events[i].kind == EVENT_MEMBER;
        if (members) {
            struct host_value v = {.kind = HOST_SHAPE};
            for (unsigned i = 0; i < 3; i++) {
                struct host_value part = settle(host, place, w, (char)('x' + i), depth);
                if (part.kind != HOST_INTEGER)
                    return part;
                v.n[i] = part.n[0];
                v.assumed = v.assumed || part.assumed;
            }
            return v;
        }
    }
    for (unsigned i = w->event_count; i-- > 0;) {
        const struct event *event = &w->events[i];
        if (is_out_of_sight(w, event) || (event->kind == EVENT_MEMBER && event->member != member))
            continue;
        enum block_kind how = distance(w, event);
        if (how == LOOP)
            return host_unknown(event->name);
        struct host_value v = event_value(host, place, event, member, depth);
        if (how == BRANCH) {
            later = true;
            if (maybe.kind == HOST_UNKNOWN)
                maybe = v;
            continue;
        }
        if (event->kind == EVENT_BARE && v.kind == HOST_UNKNOWN && maybe.kind != HOST_UNKNOWN)
            break;
        if (v.kind == HOST_UNKNOWN && maybe.kind == HOST_UNKNOWN)
            return v;
        v = v.kind == HOST_UNKNOWN ? maybe : v;
        v.assumed = v.assumed || later;
        return v;
    }
    maybe.assumed = true;
    return maybe;
}

/* The index of the parameter of that name, or -1; *name is where it stands. */
static int parameter_index(const struct host_function *function, const struct token *wanted,
                           const struct token **name, struct host_span *item)
{
    struct host_span items[HOST_ARGUMENT_LIMIT];
    unsigned count = host_list(function->parameters, items, HOST_ARGUMENT_LIMIT);
    for (unsigned i = 0; i < count; i++)
        for (const struct token *t = items[i].begin; t < items[i].end && !token_is_punct(t, '='); t++)
            if (token_same_name(t, wanted) && t > items[i].begin &&
                (t + 1 == items[i].end || token_is_punct(t + 1, '=') || token_is_punct(t + 1, '['))) {
                *name = t;
                *item = items[i];
                return (int)i;
            }
    return -1;
}

/* The argument that a call gives the parameter, and where it stands. */
static bool argument_for(const struct host *host, struct host_place place, int index,
                         struct host_frame *frame, struct host_span *argument)
{
    const struct host_function *function = place.function;
    if (place.frame && place.frame->function == function) {
        *frame = *place.frame;
    } else if (function->call) {
        const struct token *open = function->call + 1;
        if (token_is_punct(open, '<'))
            open = template_after_head(function->call);
        *frame = (struct host_frame){function, open, {host_function_of(host, function->call), open, NULL}};
    } else {
        return false;
    }
    struct host_span items[HOST_ARGUMENT_LIMIT];
    unsigned count =
        token_is_punct(frame->open, '(') ? host_list(frame->open, items, HOST_ARGUMENT_LIMIT) : 0;
    if ((unsigned)index >= count)
        return false;
    *argument = items[index];
    return true;
}

static struct host_value parameter_value(struct host *host, struct host_place place, const struct token *name,
                                         const struct token *at, int index, const struct host_span *item,
                                         unsigned depth)
{
    struct host_frame frame;
    struct host_span argument;
    int64_t value;
    if (find_override(host, at, &value))
        return host_integer(value);
    if (argument_for(host, place, index, &frame, &argument)) {
        struct host_value v = host_evaluate_at(host, frame.caller, argument, depth + 1);
        return v.kind == HOST_UNKNOWN && v.unknown->kind != TOKEN_NAME ? host_unknown(name) : v;
    }
    if (at + 1 < item->end && token_is_punct(at + 1, '='))
        return host_evaluate_at(host, (struct host_place){NULL, at, NULL},
                                (struct host_span){at + 2, item->end}, depth + 1);
    return host_unknown(name);
}

/* Assignments of the name in a function's body before `to`. */
static void walk_function(struct walk *w, const struct host_function *function, const struct token *to)
{
    walk(w, function->body + 1, to < function->end ? to : function->end - 1);
}

/* At file level: past the functions. */
static void walk_file(struct walk *w)
{
    const struct token *statement = w->host->tokens;
    unsigned function = 0;
    w->block_count = 1;
    for (const struct token *t = statement; t->kind != TOKEN_END; t++) {
        w->host->steps++;
        if (function < w->host->function_count && t == w->host->functions[function].parameters) {
            t = w->host->functions[function++].end - 1;
            statement = t + 1;
        } else if (token_is_punct(t, ';') || token_is_punct(t, '{') || token_is_punct(t, '}')) {
            statement = t + 1;
        } else if (token_same_name(t, w->name)) {
            meet_name(w, statement, t, true, PLAIN);
        }
    }
}

static const struct symbol *file_constant(const struct host *host, const struct token *name)
{
    struct problem ignored = {0};
    struct parser parser = parser_at(host->unit, name, &ignored);
    const struct symbol *symbol = parse_find(&parser, name);
    return symbol && symbol->kind == SYMBOL_CONSTANT && !symbol->initial ? symbol : NULL;
}

/* The declaration that is overridden among the events, as seen from the walk's end. */
static bool overridden(const struct walk *w, int64_t *value)
{
    for (unsigned i = w->event_count; i-- > 0;)
        if (w->events[i].is_declaration && !is_out_of_sight(w, &w->events[i]) &&
            find_override(w->host, w->events[i].name, value))
            return true;
    return false;
}

static const struct event *declaration_of(const struct walk *w)
{
    for (unsigned i = w->event_count; i-- > 0;)
        if (w->events[i].is_declaration && !is_out_of_sight(w, &w->events[i]))
            return &w->events[i];
    return NULL;
}

static struct host_value of_walk(struct host *host, struct host_place place, const struct walk *w,
                                 char member, unsigned depth)
{
    int64_t value;
    if (overridden(w, &value))
        return host_integer(value);
    const struct event *declaration = declaration_of(w);
    struct host_value v = settle(host, place, w, member, depth);
    return declaration ? as_declared(declaration->name, v) : v;
}

static struct host_value file_value(struct host *host, const struct token *name, char member, unsigned depth,
                                    struct walk *w)
{
    int64_t value;
    *w = (struct walk){.host = host, .name = name};
    walk_file(w);
    if (overridden(w, &value))
        return host_integer(value);
    const struct symbol *constant = member ? NULL : file_constant(host, name);
    if (constant)
        return host_integer(constant->value);
    if (!w->event_count)
        return host_unknown(name);
    return of_walk(host, (struct host_place){NULL, name, NULL}, w, member, depth);
}

struct host_value host_name_value(struct host *host, struct host_place place, const struct token *name,
                                  char member, unsigned depth)
{
    if (depth >= HOST_DEPTH_LIMIT || host->steps >= HOST_STEP_LIMIT)
        return host_unknown(name);
    struct walk *w = memory_take(1, sizeof *w);
    struct host_value v = host_unknown(name);
    *w = (struct walk){.host = host, .name = name};
    if (place.function)
        walk_function(w, place.function, place.at);
    const struct token *at;
    struct host_span item;
    int index = place.function ? parameter_index(place.function, name, &at, &item) : -1;
    int64_t value;
    if (w->overflow) {
    } else if (declaration_of(w)) {
        v = of_walk(host, place, w, member, depth);
    } else if (index >= 0) {
        if (w->event_count && !find_override(host, at, &value))
            v = settle(host, place, w, member, depth);
        if (v.kind == HOST_UNKNOWN)
            v = member_of(parameter_value(host, place, name, at, index, &item, depth), member, name);
    } else {
        struct host_value here = w->event_count ? settle(host, place, w, member, depth) : v;
        bool assigned = w->event_count > 0;
        struct host_place where;
        struct host_span argument;
        if (!assigned && !member && host_template_argument(host, place, name, &where, &argument)) {
            free(w);
            return host_evaluate_at(host, where, argument, depth + 1);
        }
        v = file_value(host, name, member, depth, w);
        if (assigned && !overridden(w, &value))
            v = here;
    }
    free(w);
    if (v.kind == HOST_UNKNOWN && v.unknown->kind == TOKEN_NAME && token_is_punct(v.unknown + 1, '('))
        v.unknown = name; /* says more than the function that its value comes from */
    return v;
}

void host_override(struct host *host, const struct token *declaration, int64_t value)
{
    if (host->override_count == HOST_OVERRIDE_LIMIT)
        return;
    host->overrides[host->override_count].declaration = declaration;
    host->overrides[host->override_count++].value = value;
}

static bool plain_name(struct host_span span, const struct token **name)
{
    while (span.end - span.begin > 2 && token_is_punct(span.begin, '(') &&
           token_after_brackets(span.begin) == span.end)
        span = (struct host_span){span.begin + 1, span.end - 1};
    if (span.end - span.begin > 3 && token_is_punct(span.begin, '(')) /* a cast */
        span.begin = token_after_brackets(span.begin);
    if (span.end - span.begin != 1 || span.begin->kind != TOKEN_NAME)
        return false;
    *name = span.begin;
    return true;
}

/* One step of the chain: the declaration of the name, and the span that gives it its value. */
static const struct token *chain_step(struct host *host, struct host_place *place, struct host_span *span)
{
    const struct token *name, *at = NULL;
    struct host_span item;
    struct host_frame frame;
    if (!plain_name(*span, &name))
        return NULL;
    struct walk *w = memory_take(1, sizeof *w);
    *w = (struct walk){.host = host, .name = name};
    if (place->function)
        walk_function(w, place->function, place->at);
    const struct event *event = declaration_of(w);
    int index = place->function ? parameter_index(place->function, name, &at, &item) : -1;
    if (!event && index < 0) {
        *w = (struct walk){.host = host, .name = name};
        walk_file(w);
        event = declaration_of(w);
        place->function = NULL;
    }
    *span = (struct host_span){name, name};
    if (event) {
        at = event->name;
        if (event->kind == EVENT_VALUE) {
            *span = (struct host_span){event->value, host_item_end(event->value)};
            place->at = event->name;
        }
    } else if (index >= 0 && argument_for(host, *place, index, &frame, span)) {
        *place = frame.caller;
    }
    free(w);
    return at;
}

unsigned host_chain(struct host *host, struct host_place place, struct host_span span,
                    const struct token *chain[HOST_CHAIN_LIMIT])
{
    unsigned count = 0;
    host->steps = 0;
    while (count < HOST_CHAIN_LIMIT && span.begin < span.end) {
        const struct token *declaration = chain_step(host, &place, &span);
        if (!declaration)
            break;
        chain[count++] = declaration;
    }
    return count;
}
