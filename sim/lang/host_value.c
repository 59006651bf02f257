/* host_value.c - expressions of host code, as far as the text alone tells their values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "unit_state.h"

struct reader {
    struct host *host;
    struct host_place place;
    const struct token *at, *end;
    unsigned depth;
};

struct host_value host_unknown(const struct token *token)
{
    return (struct host_value){.kind = HOST_UNKNOWN, .unknown = token};
}

struct host_value host_integer(int64_t value)
{
    return (struct host_value){.kind = HOST_INTEGER, .n = {value, 1, 1}};
}

static struct host_value real(double value)
{
    return (struct host_value){.kind = HOST_REAL, .real = value};
}

static double as_real(const struct host_value *v)
{
    return v->kind == HOST_REAL ? v->real : (double)v->n[0];
}

struct host_value host_truncated(struct host_value v, const struct token *at)
{
    if (v.kind != HOST_REAL)
        return v;
    if (!(v.real > -9e18 && v.real < 9e18))
        return host_unknown(at);
    struct host_value result = host_integer((int64_t)v.real);
    result.assumed = v.assumed;
    return result;
}

static struct host_value expression(struct reader *r);
static struct host_value unary(struct reader *r);

static bool at_punct(const struct reader *r, uint32_t punct)
{
    return r->at < r->end && token_is_punct(r->at, punct);
}

static struct host_value number(const struct token *t)
{
    char text[64];
    size_t length = 0;
    for (uint32_t i = 0; i < t->length && length < sizeof text - 1; i++)
        if (t->text[i] != '\'')
            text[length++] = t->text[i];
    text[length] = '\0';
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    if (!hex && strpbrk(text, ".eEfF"))
        return real(strtod(text, &end));
    unsigned long long value = strtoull(text, &end, 0);
    return value > INT64_MAX ? host_unknown(t) : host_integer((int64_t)value);
}

/* The type at `at`, if one ends before `close`; its stars only count as a pointer. */
static bool type_until(struct reader *r, const struct token *at, const struct token *close, struct type *type)
{
    struct problem ignored = {0};
    struct parser parser = parser_at(r->host->unit, at, &ignored);
    if (!parse_at_type(&parser) || !parse_specifiers(&parser, type) || parser.at > close)
        return false;
    if (parser.at < close && token_is_punct(parser.at, '*')) {
        *type = type_integer(8, false);
        while (parser.at < close && (token_is_punct(parser.at, '*') || parser.at->kind == TOKEN_NAME))
            parser.at++;
    }
    return parser.at == close;
}

static struct host_value cast(struct host_value v, const struct type *type, const struct token *at)
{
    if (v.kind == HOST_INTEGER && type->kind == TYPE_FLOAT) {
        struct host_value result = real(type->bytes == 4 ? (float)v.n[0] : (double)v.n[0]);
        result.assumed = v.assumed;
        return result;
    }
    if (type->kind == TYPE_INTEGER && type->components == 1 && v.kind != HOST_UNKNOWN) {
        v = host_truncated(v, at);
        if (v.kind == HOST_INTEGER)
            v.n[0] = type_wrap(type, v.n[0]);
    }
    return v;
}

/* An operation of two numbers; reals where either is one. */
static struct host_value binary(uint32_t op, struct host_value a, struct host_value b, const struct token *at)
{
    if (a.kind == HOST_UNKNOWN || a.kind == HOST_SHAPE)
        return host_unknown(a.kind == HOST_SHAPE ? at : a.unknown);
    if (b.kind == HOST_UNKNOWN || b.kind == HOST_SHAPE)
        return host_unknown(b.kind == HOST_SHAPE ? at : b.unknown);
    struct host_value v = host_integer(0);
    if (a.kind == HOST_REAL || b.kind == HOST_REAL) {
        double x = as_real(&a), y = as_real(&b);
        switch (op) {
        case PUNCT1('+'):
            v = real(x + y);
            break;
        case PUNCT1('-'):
            v = real(x - y);
            break;
        case PUNCT1('*'):
            v = real(x * y);
            break;
        case PUNCT1('/'):
            v = y == 0 ? host_unknown(at) : real(x / y);
            break;
        case PUNCT1('<'):
            v = host_integer(x < y);
            break;
        case PUNCT1('>'):
            v = host_integer(x > y);
            break;
        default:
            v = host_unknown(at);
        }
    } else {
        int64_t x = a.n[0], y = b.n[0], *z = &v.n[0];
        bool bad = false;
        switch (op) {
        case PUNCT1('+'):
            bad = __builtin_add_overflow(x, y, z);
            break;
        case PUNCT1('-'):
            bad = __builtin_sub_overflow(x, y, z);
            break;
        case PUNCT1('*'):
            bad = __builtin_mul_overflow(x, y, z);
            break;
        case PUNCT1('/'):
        case PUNCT1('%'):
            bad = y == 0 || (x == INT64_MIN && y == -1);
            if (!bad)
                *z = op == PUNCT1('/') ? x / y : x % y;
            break;
        case PUNCT2('<', '<'):
            bad = x < 0 || y < 0 || y > 62 || x > INT64_MAX >> y;
            if (!bad)
                *z = x << y;
            break;
        case PUNCT2('>', '>'):
            bad = x < 0 || y < 0 || y > 63;
            if (!bad)
                *z = x >> y;
            break;
        case PUNCT1('&'):
            *z = x & y;
            break;
        case PUNCT1('|'):
            *z = x | y;
            break;
        case PUNCT1('^'):
            *z = x ^ y;
            break;
        case PUNCT1('<'):
            *z = x < y;
            break;
        case PUNCT1('>'):
            *z = x > y;
            break;
        case PUNCT2('<', '='):
            *z = x <= y;
            break;
        case PUNCT2('>', '='):
            *z = x >= y;
            break;
        case PUNCT2('=', '='):
            *z = x == y;
            break;
        case PUNCT2('!', '='):
            *z = x != y;
            break;
        case PUNCT2('&', '&'):
            *z = x && y;
            break;
        case PUNCT2('|', '|'):
            *z = x || y;
            break;
        default:
            bad = true;
        }
        if (bad)
            return host_unknown(at);
    }
    v.assumed = a.assumed || b.assumed;
    return v;
}

static int precedence(const struct token *t)
{
    static const struct {
        uint32_t punct;
        int level;
    } levels[] = {{PUNCT2('|', '|'), 1}, {PUNCT2('&', '&'), 2}, {PUNCT1('|'), 3},      {PUNCT1('^'), 4},
                  {PUNCT1('&'), 5},      {PUNCT2('=', '='), 6}, {PUNCT2('!', '='), 6}, {PUNCT1('<'), 7},
                  {PUNCT1('>'), 7},      {PUNCT2('<', '='), 7}, {PUNCT2('>', '='), 7}, {PUNCT2('<', '<'), 8},
                  {PUNCT2('>', '>'), 8}, {PUNCT1('+'), 9},      {PUNCT1('-'), 9},      {PUNCT1('*'), 10},
                  {PUNCT1('/'), 10},     {PUNCT1('%'), 10}};
    for (size_t i = 0; t->kind == TOKEN_PUNCT && i < sizeof levels / sizeof *levels; i++)
        if (levels[i].punct == t->punct)
            return levels[i].level;
    return 0;
}

static struct host_value operators(struct reader *r, int least)
{
    struct host_value a = unary(r);
    while (r->at < r->end && precedence(r->at) >= least) {
        const struct token *op = r->at++;
        struct host_value b = operators(r, precedence(op) + 1);
        a = binary(op->punct, a, b, op);
    }
    return a;
}

/* a ? b : c; where a is unknown and one side alone is known, that side, assumed. */
static struct host_value expression(struct reader *r)
{
    if (r->depth >= HOST_DEPTH_LIMIT || r->host->steps >= HOST_STEP_LIMIT)
        return host_unknown(r->at);
    r->depth++;
    r->host->steps++;
    struct host_value a = operators(r, 1);
    if (at_punct(r, '?')) {
        r->at++;
        struct host_value b = expression(r), c = host_unknown(r->at);
        if (at_punct(r, ':')) {
            r->at++;
            c = expression(r);
        }
        if (a.kind != HOST_UNKNOWN) {
            bool first = as_real(&a) != 0, assumed = a.assumed;
            a = first ? b : c;
            a.assumed = a.assumed || assumed;
        } else if ((b.kind == HOST_UNKNOWN) != (c.kind == HOST_UNKNOWN)) {
            a = b.kind == HOST_UNKNOWN ? c : b;
            a.assumed = true;
        }
    }
    r->depth--;
    return a;
}

/* The arguments of a constructor of dim3, from ( or { on. */
static struct host_value shape(struct reader *r)
{
    struct host_span items[3];
    struct host_value v = {.kind = HOST_SHAPE, .n = {1, 1, 1}};
    unsigned count = host_list(r->at, items, 3);
    r->at = token_after_brackets(r->at);
    for (unsigned i = 0; i < count; i++) {
        struct host_value part = host_evaluate_at(r->host, r->place, items[i], r->depth + 1);
        if (count == 1 && part.kind == HOST_SHAPE)
            return part;
        part = host_truncated(part, items[i].begin);
        if (part.kind != HOST_INTEGER)
            return part.kind == HOST_UNKNOWN ? part : host_unknown(items[i].begin);
        v.n[i] = part.n[0];
        v.assumed = v.assumed || part.assumed;
    }
    return v;
}

/* ceil(x), std::min(a, b) and their kind, at (; false where `name` is none of them. */
static bool library_call(struct reader *r, const struct token *name, struct host_value *v)
{
    static const struct {
        const char *name;
        unsigned count;
    } known[] = {{"ceil", 1},  {"ceilf", 1}, {"floor", 1}, {"floorf", 1}, {"round", 1}, {"sqrt", 1},
                 {"sqrtf", 1}, {"log2", 1},  {"min", 2},   {"max", 2},    {"pow", 2},   {"abs", 1}};
    size_t i = 0;
    while (i < sizeof known / sizeof *known && !token_is(name, known[i].name))
        i++;
    if (i == sizeof known / sizeof *known)
        return false;
    struct host_span items[2];
    unsigned count = host_list(r->at, items, 2);
    r->at = token_after_brackets(r->at);
    struct host_value a[2];
    for (unsigned k = 0; k < 2; k++) {
        a[k] = k < count ? host_evaluate_at(r->host, r->place, items[k], r->depth + 1) : host_integer(0);
        if (count != known[i].count || a[k].kind == HOST_UNKNOWN || a[k].kind == HOST_SHAPE) {
            *v = host_unknown(a[k].kind == HOST_UNKNOWN ? a[k].unknown : name);
            return true;
        }
    }
    double x = as_real(&a[0]), y = as_real(&a[1]);
    bool is_min = token_is(name, "min"), is_max = token_is(name, "max");
    if (is_min || is_max) {
        *v = (x < y) == is_min ? a[0] : a[1];
    } else if (token_is(name, "abs")) {
        *v = x < 0 ? binary(PUNCT1('-'), host_integer(0), a[0], name) : a[0];
    } else {
        char first = name->text[0];
        *v = real(first == 'c'   ? ceil(x)
                  : first == 'f' ? floor(x)
                  : first == 'r' ? round(x)
                  : first == 'l' ? log2(x)
                  : first == 's' ? sqrt(x)
                                 : pow(x, y));
    }
    v->assumed = a[0].assumed || a[1].assumed;
    return true;
}

/* A call of a function of the text that is nothing but its one return. */
static struct host_value own_call(struct reader *r, const struct token *name)
{
    const struct host_function *function = host_function_named(r->host, name);
    struct host_frame frame = {function, r->at, r->place};
    r->at = token_after_brackets(r->at);
    if (!function)
        return host_unknown(name);
    const struct token *value = NULL;
    for (const struct token *t = function->body; t < function->end; t++) {
        r->host->steps++;
        if (token_is(t, "return") && value)
            return host_unknown(name);
        if (token_is(t, "return"))
            value = t + 1;
    }
    if (!value)
        return host_unknown(name);
    const struct token *end = value;
    while (end < function->end && !token_is_punct(end, ';'))
        end++;
    struct host_value v = host_evaluate_at(r->host, (struct host_place){function, value, &frame},
                                           (struct host_span){value, end}, r->depth + 1);
    return v.kind == HOST_UNKNOWN ? host_unknown(name) : v;
}

static struct host_value size_of(struct reader *r, const struct token *word)
{
    struct type type;
    if (!at_punct(r, '('))
        return host_unknown(word);
    const struct token *open = r->at;
    r->at = token_after_brackets(open);
    return type_until(r, open + 1, r->at - 1, &type) ? host_integer((int64_t)type_size(&type))
                                                     : host_unknown(word);
}

/* array[index], at [, of an array whose values are listed where it is declared and not changed one by one. */
static struct host_value element(struct reader *r, const struct token *name)
{
    const struct host_function *function = r->place.function;
    struct host_span items[HOST_ARGUMENT_LIMIT], index = {r->at + 1, token_after_brackets(r->at) - 1};
    struct host_value i = host_evaluate_at(r->host, r->place, index, r->depth + 1), v = host_unknown(name);
    r->at = index.end + 1;
    const struct token *from = function ? function->body : r->host->tokens;
    for (const struct token *t = r->place.at; i.kind == HOST_INTEGER && t > from; t--) {
        r->host->steps++;
        if (!token_same_name(t, name) || !token_is_punct(t + 1, '['))
            continue;
        const struct token *open = token_after_brackets(t + 1);
        bool is_assigned = token_is_punct(open, '=');
        open += is_assigned;
        if (token_is_punct(open, '{') && t[-1].kind == TOKEN_NAME) {
            unsigned count = host_list(open, items, HOST_ARGUMENT_LIMIT);
            if (i.n[0] >= 0 && i.n[0] < count)
                v = host_evaluate_at(r->host, (struct host_place){function, t, r->place.frame}, items[i.n[0]],
                                     r->depth + 1);
            return v;
        }
        if (is_assigned)
            return v;
    }
    return v;
}

/* A name: a type's constructor, a call, a variable, one of its members. */
static struct host_value named(struct reader *r)
{
    const struct token *name = r->at++;
    struct host_value v;
    struct type type;
    while (at_punct(r, PUNCT2(':', ':')) && r->at[1].kind == TOKEN_NAME) {
        name = r->at + 1;
        r->at += 2;
    }
    if (token_is(name, "sizeof"))
        return size_of(r, name);
    if (token_is(name, "true") || token_is(name, "false"))
        return host_integer(token_is(name, "true"));
    if (token_is(name, "dim3") && (at_punct(r, '(') || at_punct(r, '{')))
        return shape(r);
    if (token_is(name, "static_cast") && at_punct(r, '<')) {
        const struct token *open = template_after_head(name);
        if (!token_is_punct(open, '(') || !type_until(r, r->at + 1, open - 1, &type))
            return host_unknown(name);
        r->at = token_after_brackets(open);
        return cast(
            host_evaluate_at(r->host, r->place, (struct host_span){open + 1, r->at - 1}, r->depth + 1), &type,
            name);
    }
    const struct token *open = at_punct(r, '<') ? template_after_head(name) : r->at;
    if (open < r->end && token_is_punct(open, '(')) {
        r->at = open;
        if (type_until(r, name, open, &type)) {
            r->at = token_after_brackets(open);
            return cast(
                host_evaluate_at(r->host, r->place, (struct host_span){open + 1, r->at - 1}, r->depth + 1),
                &type, name);
        }
        return library_call(r, name, &v) ? v : own_call(r, name);
    }
    char member = 0;
    if (at_punct(r, '.') && r->at[1].kind == TOKEN_NAME) {
        if (r->at[1].length == 1 && strchr("xyz", r->at[1].text[0]))
            member = r->at[1].text[0];
        else
            member = '?';
        r->at += 2;
    }
    if (at_punct(r, '[') && !member) {
        v = element(r, name);
        if (!at_punct(r, '[') && !at_punct(r, '.') && !at_punct(r, PUNCT2('-', '>')))
            return v;
    }
    if (at_punct(r, '[') || at_punct(r, '(') || at_punct(r, PUNCT2('-', '>')) || member == '?') {
        while (at_punct(r, '[') || at_punct(r, '('))
            r->at = token_after_brackets(r->at);
        r->at += at_punct(r, PUNCT2('-', '>')) ? 2 : 0;
        return host_unknown(name);
    }
    return host_name_value(r->host, r->place, name, member, r->depth + 1);
}

static struct host_value unary(struct reader *r)
{
    const struct token *t = r->at;
    if (r->at >= r->end || r->depth >= HOST_DEPTH_LIMIT)
        return host_unknown(t);
    if (t->kind == TOKEN_NUMBER) {
        r->at++;
        return number(t);
    }
    if (t->kind == TOKEN_NAME)
        return named(r);
    if (token_is_punct(t, '(')) {
        const struct token *close = token_after_brackets(t) - 1;
        struct type type;
        if (close < r->end && type_until(r, t + 1, close, &type)) {
            r->at = close + 1;
            r->depth++;
            struct host_value v = unary(r);
            r->depth--;
            return cast(v, &type, t);
        }
        r->at = close + 1;
        return host_evaluate_at(r->host, r->place, (struct host_span){t + 1, close}, r->depth + 1);
    }
    if (token_is_punct(t, '{'))
        return shape(r);
    if (token_is_punct(t, '-') || token_is_punct(t, '+') || token_is_punct(t, '!')) {
        r->at++;
        r->depth++;
        struct host_value v = unary(r);
        r->depth--;
        if (token_is_punct(t, '!'))
            return binary(PUNCT2('=', '='), v, host_integer(0), t);
        return token_is_punct(t, '-') ? binary(PUNCT1('-'), host_integer(0), v, t) : v;
    }
    r->at++;
    return host_unknown(t);
}

struct host_value host_evaluate_at(struct host *host, struct host_place place, struct host_span span,
                                   unsigned depth)
{
    struct reader r = {host, place, span.begin, span.end, depth};
    struct host_value v = expression(&r);
    return v.kind != HOST_UNKNOWN && r.at != span.end ? host_unknown(r.at) : v;
}

struct host_value host_evaluate(struct host *host, struct host_place place, struct host_span span)
{
    host->steps = 0;
    return host_evaluate_at(host, place, span, 0);
}

struct host_launch host_launch_for(const struct host_launch *launch, const struct program *program)
{
    struct host_launch own = *launch;
    own.argument_count = 0;
    for (unsigned i = 0; i < program->parameter_count && i < HOST_ARGUMENT_LIMIT; i++) {
        if (program->parameters[i].position >= launch->argument_count)
            break;
        own.arguments[own.argument_count++] = launch->arguments[program->parameters[i].position];
    }
    return own;
}

struct host_value host_part(const struct host_value *whole, unsigned part)
{
    if (whole->kind == HOST_SHAPE && part >= 1 && part <= 3)
        return host_integer(whole->n[part - 1]);
    struct host_value unknown = *whole;
    unknown.kind = HOST_UNKNOWN;
    return unknown;
}
