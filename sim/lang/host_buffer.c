/* host_buffer.c - what a launch passes for a pointer: whose memory, how large, how far behind its start. */
#include <string.h>

#include "host.h"

static bool is_allocation(const struct token *t)
{
    return (token_is(t, "cudaMalloc") || token_is(t, "cudaMallocManaged") || token_is(t, "cudaMallocAsync") ||
            token_is(t, "cudaMallocHost") || token_is(t, "hipMalloc")) &&
           token_is_punct(t + 1, '(');
}

/* The + between a pointer and what it is moved by; or the end. */
static const struct token *moved_by(struct host_span span)
{
    const struct token *t = span.begin;
    while (t < span.end && !token_is_punct(t, '+'))
        t = token_is_punct(t, '(') || token_is_punct(t, '[') ? token_after_brackets(t) : t + 1;
    return t < span.end ? t : span.end;
}

struct host_value host_pointer_shift(struct host *host, struct host_place place, struct host_span span)
{
    const struct token *plus = moved_by(span);
    if (span.end - span.begin > 4 && token_is_punct(span.begin, '&') && token_is_punct(span.begin + 2, '[') &&
        token_after_brackets(span.begin + 2) == span.end)
        return host_evaluate(host, place, (struct host_span){span.begin + 3, span.end - 1});
    if (plus == span.end)
        return host_integer(0);
    return host_evaluate(host, place, (struct host_span){plus + 1, span.end});
}

/* The allocation of the variable `name` in the function around, or anywhere where it is the file's. */
static struct host_value allocated(struct host *host, const struct token *declaration)
{
    for (unsigned i = 0; i < host->function_count; i++) {
        const struct host_function *f = &host->functions[i];
        bool of_file = true;
        for (unsigned k = 0; k < host->function_count && of_file; k++)
            of_file = declaration < host->functions[k].name || declaration >= host->functions[k].end;
        if (!of_file && (declaration < f->name || declaration >= f->end))
            continue;
        for (const struct token *t = f->body; t < f->end; t++) {
            struct host_span items[3];
            if (!is_allocation(t) || host_list(t + 1, items, 3) < 2 ||
                !token_same_name(items[0].end - 1, declaration))
                continue;
            return host_evaluate(host, (struct host_place){f, t, NULL}, items[1]);
        }
    }
    return host_unknown(declaration);
}

struct host_value host_buffer_bytes(struct host *host, struct host_place place, struct host_span span)
{
    const struct token *chain[HOST_CHAIN_LIMIT];
    span.end = moved_by(span);
    unsigned count = host_chain(host, place, span, chain);
    for (unsigned i = count; i-- > 0;) {
        struct host_value v = allocated(host, chain[i]);
        if (v.kind == HOST_REAL && v.real > 0 && v.real < 9e18)
            v = host_integer((int64_t)v.real);
        if (v.kind == HOST_INTEGER && v.n[0] > 0)
            return v;
    }
    return host_unknown(span.begin);
}
