/* host_scan.c - the functions of a text and the launches in them. */
#include <string.h>

#include "host.h"
#include "unit_state.h"

/* The tokens that spell three of this sign in a row, as people and formatters split them: <<<, << <, < < <;
 * 0: it is not spelled here. */
static unsigned three_of(const struct token *at, char sign)
{
    unsigned signs = 0, tokens = 0;
    for (; signs < 3 && at->kind == TOKEN_PUNCT && at->length <= 3; at++, tokens++)
        for (uint32_t i = 0; i < at->length; i++, signs++)
            if (at->text[i] != sign)
                return 0;
    return signs == 3 ? tokens : 0;
}

const struct token *host_item_end(const struct token *at)
{
    while (at->kind != TOKEN_END && !token_closes(at) && !token_is_punct(at, ',') &&
           !token_is_punct(at, ';') && !three_of(at, '>'))
        at = token_opens(at) ? token_after_brackets(at) : at + 1;
    return at;
}

/* The items from `at` to a closing bracket or >>>. */
static unsigned list_from(const struct token *at, struct host_span *items, unsigned limit,
                          const struct token **end)
{
    unsigned count = 0;
    *end = at;
    if (token_closes(at) || at->kind == TOKEN_END)
        return 0;
    for (;;) {
        *end = host_item_end(at);
        if (count < limit)
            items[count++] = (struct host_span){at, *end};
        if (!token_is_punct(*end, ','))
            return count;
        at = *end + 1;
    }
}

unsigned host_list(const struct token *open, struct host_span *items, unsigned limit)
{
    const struct token *end;
    return list_from(open + 1, items, limit, &end);
}

static bool is_statement_word(const struct token *t)
{
    static const char *const words[] = {"if", "for", "while", "switch", "catch", "sizeof", "return"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is(t, words[i]))
            return true;
    return false;
}

const struct host_function *host_function_of(const struct host *host, const struct token *at)
{
    for (unsigned i = 0; i < host->function_count; i++)
        if (host->functions[i].body < at && at < host->functions[i].end)
            return &host->functions[i];
    return NULL;
}

/* Where the table has a function of that name, or has room for it. */
static uint16_t *slot_of(const struct host *host, const struct token *name)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < name->length; i++)
        hash = (hash ^ (unsigned char)name->text[i]) * 16777619u;
    for (;; hash++) {
        uint16_t *slot = &host->by_name[hash % host->slots];
        if (!*slot || token_same_name(host->functions[*slot - 1].name, name))
            return slot;
    }
}

const struct host_function *host_function_named(const struct host *host, const struct token *name)
{
    uint16_t slot = name->kind == TOKEN_NAME ? *slot_of(host, name) : 0;
    return slot ? &host->functions[slot - 1] : NULL;
}

/* Of several functions of one name the first is meant. */
static void index_names(struct host *host)
{
    host->slots = 4 * host->function_count + 1;
    host->by_name = arena_take(&host->unit->arena, host->slots * sizeof *host->by_name);
    for (unsigned i = 0; i < host->function_count; i++) {
        uint16_t *slot = slot_of(host, host->functions[i].name);
        *slot = *slot ? *slot : (uint16_t)(i + 1);
    }
}

/* name ( ... ) [const, noexcept] { ... }: a function's definition, wherever it stands. */
static void find_functions(struct host *host)
{
    unsigned room = 0;
    for (const struct token *t = host->tokens; t->kind != TOKEN_END && room < HOST_FUNCTION_LIMIT; t++)
        room += token_is_punct(t, '{');
    host->functions = arena_take(&host->unit->arena, room * sizeof *host->functions);
    for (const struct token *t = host->tokens; t->kind != TOKEN_END; t++) {
        if (!token_is_punct(t, '(') || t == host->tokens || t[-1].kind != TOKEN_NAME ||
            is_statement_word(t - 1))
            continue;
        const struct token *body = token_after_brackets(t);
        while (token_is(body, "const") || token_is(body, "noexcept"))
            body++;
        if (!token_is_punct(body, '{') || host->function_count == room)
            continue;
        struct host_function *function = &host->functions[host->function_count++];
        *function = (struct host_function){t - 1, t, body, token_after_brackets(body), NULL};
        t = function->end - 1;
    }
}

/* Where the text calls each function: in main, or else the first call. */
static void find_calls(struct host *host)
{
    for (unsigned i = 0; i < host->function_count; i++) {
        const struct host_function *caller = &host->functions[i];
        for (const struct token *t = caller->body; t < caller->end; t++) {
            if (t->kind != TOKEN_NAME || !(token_is_punct(t + 1, '(') || token_is_punct(t + 1, '<')))
                continue;
            struct host_function *callee = (struct host_function *)(uintptr_t)host_function_named(host, t);
            if (callee && callee != caller && (!callee->call || token_is(caller->name, "main")) &&
                (!callee->call || !token_is(host_function_of(host, callee->call)->name, "main")))
                callee->call = t;
        }
    }
}

struct host *unit_host(struct unit *unit)
{
    if (unit->host)
        return unit->host;
    struct host *host = arena_take(&unit->arena, sizeof *host);
    host->unit = unit;
    host->tokens = unit->pre.tokens.at;
    find_functions(host);
    index_names(host);
    find_calls(host);
    return unit->host = host;
}

enum { CALLER_DEPTH = 4 };

/* Does the name at `v` stand for the kernel: is it assigned it, or passed it, by callers of callers? */
static bool stands_for(const struct host *host, const struct token *v, const char *kernel, unsigned depth)
{
    const struct host_function *function = host_function_of(host, v);
    for (const struct token *t = function ? function->body : v; t < v; t++)
        if (token_same_name(t, v)) {
            const struct token *value = t + 1;
            if (!token_is_punct(value, '=') && !token_is_punct(value, ')'))
                continue;
            while (!token_is_punct(value, '=') && !token_is_punct(value, ';') && value < v)
                value++;
            value += 1 + token_is_punct(value + 1, '&');
            if (token_is(value, kernel))
                return true;
        }
    if (!function || !function->call)
        return false;
    struct host_span parameters[HOST_ARGUMENT_LIMIT], arguments[HOST_ARGUMENT_LIMIT];
    unsigned count = host_list(function->parameters, parameters, HOST_ARGUMENT_LIMIT);
    for (unsigned i = 0; i < count; i++)
        for (const struct token *t = parameters[i].begin; t < parameters[i].end; t++)
            if (token_same_name(t, v))
                for (const struct token *c = host->tokens; c->kind != TOKEN_END; c++) {
                    if (host_function_named(host, c) != function || !token_is_punct(c + 1, '(') ||
                        c == function->name)
                        continue;
                    unsigned given = host_list(c + 1, arguments, HOST_ARGUMENT_LIMIT);
                    const struct token *a = i < given ? arguments[i].begin : NULL;
                    a = a && token_is_punct(a, '&') ? a + 1 : a;
                    if (a && (token_is(a, kernel) || (depth < CALLER_DEPTH && a->kind == TOKEN_NAME &&
                                                      stands_for(host, a, kernel, depth + 1))))
                        return true;
                }
    return false;
}

/* Before <<<: the name, past template arguments. */
static const struct token *launched_name(const struct host *host, const struct token *at,
                                         struct host_span *template_arguments)
{
    const struct token *t = at - 1;
    *template_arguments = (struct host_span){NULL, NULL};
    if (token_is_punct(t, '>') || token_is_punct(t, PUNCT2('>', '>'))) {
        int depth = 0;
        for (; t > host->tokens && !token_is_punct(t, ';'); t--) {
            depth +=
                token_is_punct(t, '>') + 2 * token_is_punct(t, PUNCT2('>', '>')) - token_is_punct(t, '<');
            if (depth == 0)
                break;
        }
        if (depth != 0 || t == host->tokens)
            return NULL;
        *template_arguments = (struct host_span){t + 1, at - 1};
        t--;
    }
    return t >= host->tokens && t->kind == TOKEN_NAME ? t : NULL;
}

static void set_place(const struct host *host, struct host_launch *launch, const struct token *at)
{
    launch->line = token_line(at);
    launch->place = (struct host_place){host_function_of(host, at), at, NULL};
}

static bool take_launch(const struct host *host, const struct token *at, const char *kernel,
                        struct host_launch *launch)
{
    struct host_span items[4];
    const struct token *end, *name;
    *launch = (struct host_launch){0};
    unsigned open = three_of(at, '<');
    if (!open || at == host->tokens || !(name = launched_name(host, at, &launch->template_arguments)))
        return false;
    if (!token_is(name, kernel) && !stands_for(host, name, kernel, 0))
        return false;
    unsigned count = list_from(at + open, items, 4, &end);
    if (count < 2 || !three_of(end, '>'))
        return false;
    set_place(host, launch, name);
    launch->grid = items[0];
    launch->block = items[1];
    if (count > 2)
        launch->shared = items[2];
    end += three_of(end, '>');
    if (token_is_punct(end, '('))
        launch->argument_count = host_list(end, launch->arguments, HOST_ARGUMENT_LIMIT);
    return true;
}

/* The { &a, &b } of `void *args[] = { &a, &b };` before the launch. */
static void take_argument_array(struct host_launch *launch, const struct token *name)
{
    const struct host_function *function = launch->place.function;
    for (const struct token *t = launch->place.at; function && t > function->body; t--)
        if (token_same_name(t, name) && token_is_punct(t + 1, '[')) {
            const struct token *open = token_after_brackets(t + 1);
            open += token_is_punct(open, '=');
            if (!token_is_punct(open, '{'))
                continue;
            launch->argument_count = host_list(open, launch->arguments, HOST_ARGUMENT_LIMIT);
            for (unsigned i = 0; i < launch->argument_count; i++) {
                struct host_span *span = &launch->arguments[i];
                while (span->begin < span->end &&
                       (token_is_punct(span->begin, '(') || token_is_punct(span->begin, '&')))
                    span->begin = token_is_punct(span->begin, '(') ? token_after_brackets(span->begin)
                                                                   : span->begin + 1;
            }
            return;
        }
}

/* cudaLaunchKernel(function, grid, block, args, shared, stream) and its cooperative kind. */
static bool take_call(const struct host *host, const struct token *at, const char *kernel,
                      struct host_launch *launch)
{
    struct host_span items[6];
    if (!(token_is(at, "cudaLaunchKernel") || token_is(at, "cudaLaunchCooperativeKernel")) ||
        !(token_is_punct(at + 1, '(') || token_is_punct(at + 1, '<')))
        return false;
    const struct token *open = at + 1;
    while (!token_is_punct(open, '(') && open->kind != TOKEN_END)
        open++;
    unsigned count = host_list(open, items, 6);
    if (count < 4)
        return false;
    const struct token *name = NULL;
    for (const struct token *t = items[0].begin; t < items[0].end; t++)
        name = token_is(t, kernel) ? t : name;
    if (!name)
        return false;
    *launch = (struct host_launch){0};
    set_place(host, launch, at);
    if (token_is_punct(name + 1, '<'))
        launch->template_arguments = (struct host_span){name + 2, template_after_head(name) - 1};
    launch->grid = items[1];
    launch->block = items[2];
    if (count > 4)
        launch->shared = items[4];
    const struct token *array = items[3].begin;
    while (array < items[3].end && token_is_punct(array, '('))
        array = token_after_brackets(array);
    if (array->kind == TOKEN_NAME)
        take_argument_array(launch, array);
    return true;
}

/* hipLaunchKernelGGL(kernel, grid, block, shared, stream, a, b, ...) */
static bool take_hip_call(const struct host *host, const struct token *at, const char *kernel,
                          struct host_launch *launch)
{
    struct host_span items[HOST_ARGUMENT_LIMIT];
    if (!token_is(at, "hipLaunchKernelGGL") || !token_is_punct(at + 1, '('))
        return false;
    unsigned count = host_list(at + 1, items, HOST_ARGUMENT_LIMIT);
    if (count < 5)
        return false;
    const struct token *name = items[0].begin;
    while (token_is_punct(name, '(') || token_is(name, "HIP_KERNEL_NAME"))
        name++;
    if (!token_is(name, kernel))
        return false;
    *launch = (struct host_launch){0};
    set_place(host, launch, at);
    if (token_is_punct(name + 1, '<'))
        launch->template_arguments = (struct host_span){name + 2, template_after_head(name) - 1};
    launch->grid = items[1];
    launch->block = items[2];
    launch->shared = items[3];
    launch->argument_count = count - 5;
    memcpy(launch->arguments, items + 5, (count - 5) * sizeof *items);
    return true;
}

/* Room for one more than `count`: arrays of 1, 2, 4 ... are left behind in the arena. */
static struct host_launch *make_room(struct host *host, struct host_launch *launches, unsigned count)
{
    if (count & (count - 1)) /* no power of two: there is room */
        return launches;
    struct host_launch *more = arena_take(&host->unit->arena, (count ? 2 * count : 1) * sizeof *more);
    if (count)
        memcpy(more, launches, count * sizeof *more);
    return more;
}

struct host_launch *host_launches(struct host *host, const char *kernel, unsigned *count)
{
    struct host_launch *launches = NULL, launch;
    *count = 0;
    for (const struct token *t = host->tokens; t->kind != TOKEN_END && *count < HOST_LAUNCH_LIMIT; t++) {
        bool found = t->kind == TOKEN_PUNCT && t->text[0] == '<'
                         ? take_launch(host, t, kernel, &launch)
                         : t->kind == TOKEN_NAME && (take_call(host, t, kernel, &launch) ||
                                                     take_hip_call(host, t, kernel, &launch));
        if (!found)
            continue;
        launches = make_room(host, launches, *count);
        launches[(*count)++] = launch;
    }
    return launches;
}
