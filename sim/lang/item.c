/* item.c - what stands at file level. */
#include "item.h"

#include "parse.h"

bool item_is_class_word(const struct token *at)
{
    return token_is(at, "struct") || token_is(at, "class") || token_is(at, "union") || token_is(at, "enum");
}

/* The token after the head of a wrapper at `at`, or NULL. */
static const struct token *after_wrapper(const struct token *at)
{
    if (token_is(at, "extern") && at[1].kind == TOKEN_STRING && token_is_punct(at + 2, '{'))
        return at + 3;
    const struct token *name = token_is(at, "inline") ? at + 1 : at;
    if (!token_is(name, "namespace"))
        return NULL;
    for (at = name + 1; at->kind == TOKEN_NAME || token_is_punct(at, PUNCT2(':', ':')); at++)
        ;
    return token_is_punct(at, '{') ? at + 1 : NULL;
}

/* Words before ( that are no function's name. */
static bool takes_arguments(const struct token *at)
{
    static const char *const words[] = {"__launch_bounds__", "__align__",   "alignas",       "__attribute__",
                                        "decltype",          "__declspec",  "noexcept",      "static_assert",
                                        "__cluster_dims__",  "__maxnreg__", "__block_size__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is(at, words[i]))
            return true;
    return false;
}

/* The name of the function whose parameters open at `paren`; NULL if they do not. */
static const struct token *function_name(const struct token *begin, const struct token *paren)
{
    const struct token *at = paren - 1;
    for (unsigned back = 1; back <= 4 && paren - begin >= (ptrdiff_t)back; back++)
        if (token_is(paren - back, "operator"))
            return paren - back;
    if (at < begin)
        return NULL;
    if (token_is_punct(at, '>')) { /* a specialization: f<int>( */
        int depth = 0;
        for (; at > begin; at--) {
            depth += token_is_punct(at, '>') - token_is_punct(at, '<');
            if (!depth)
                break;
        }
        at--;
    }
    return at >= begin && at->kind == TOKEN_NAME && !takes_arguments(at) ? at : NULL;
}

static void take_word(struct item *item, const struct token *at)
{
    static const char *const kept[] = {
        "const",   "constexpr", "__device__", "__constant__", "__shared__",         "__managed__",
        "texture", "surface",   "typedef",    "using",        "cudaTextureObject_t"};
    item->is_kernel = item->is_kernel || token_is(at, "__global__");
    item->is_device = item->is_device || token_is(at, "__device__") || token_is(at, "constexpr");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        item->is_kept = item->is_kept || token_is(at, kept[i]);
}

/* Reads on to the ; or the body that ends the item. */
static void take_rest(struct item *item, const struct token *at)
{
    bool assigned = false;
    for (; at->kind != TOKEN_END; at++) {
        take_word(item, at);
        if (token_is_punct(at, ';') || token_is_punct(at, '}'))
            break;
        if (token_is_punct(at, '='))
            assigned = true;
        if (item_is_class_word(at) && !item->name)
            item->kind = ITEM_CLASS;
        if (token_is_punct(at, '(')) {
            const struct token *name = assigned || item->name ? NULL : function_name(item->head, at);
            if (name) {
                item->kind = ITEM_FUNCTION;
                item->name = name;
                item->is_operator = token_is(name, "operator");
                item->parameters = at;
            }
            at = token_after_brackets(at) - 1;
        } else if (token_is_punct(at, '[')) {
            at = token_after_brackets(at) - 1;
        } else if (token_is_punct(at, '{')) {
            if (!assigned && !item->body)
                item->body = at;
            at = token_after_brackets(at) - 1;
            if (item->kind == ITEM_FUNCTION && !assigned) {
                item->end = at + 1;
                return;
            }
        }
        if (at->kind == TOKEN_END || at[1].kind == TOKEN_END) {
            at++;
            break;
        }
    }
    item->end = at->kind == TOKEN_END ? at : at + 1;
}

struct item item_at(const struct token *at, bool inside)
{
    struct item item = {.kind = ITEM_OTHER, .begin = at, .end = at + 1, .head = at};
    const struct token *wrapped = inside ? NULL : after_wrapper(at);
    if (wrapped) {
        item.kind = ITEM_WRAPPER;
        item.end = wrapped;
        return item;
    }
    if (token_is_punct(at, '}')) {
        item.kind = ITEM_CLOSING;
        return item;
    }
    if (inside && at->kind == TOKEN_NAME && token_is_punct(at + 1, ':')) {
        item.end = at + 2;
        return item;
    }
    if (token_is(at, "extern") && at[1].kind == TOKEN_STRING)
        at += 2;
    while (token_is(at, "template") && token_is_punct(at + 1, '<'))
        at = template_after_head(at);
    item.head = at;
    take_rest(&item, at);
    return item;
}
