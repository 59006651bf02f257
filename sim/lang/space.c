/* space.c - namespaces: which of several things of one name is meant. */
#include "parse.h"

/* Those without a name do not part their names from those around. */
static const struct name_space *named(const struct name_space *space)
{
    while (space && !space->name)
        space = space->outer;
    return space;
}

bool space_same(const struct name_space *a, const struct name_space *b)
{
    for (a = named(a), b = named(b); a && b; a = named(a->outer), b = named(b->outer))
        if (a != b && !token_same_name(a->name, b->name))
            return false;
    return !a && !b;
}

int space_rank(const struct parser *parser, const struct token *name, const struct name_space *space)
{
    enum { QUALIFIED = 1000, AROUND = 500 };
    bool is_qualified = name && name->is_qualified;
    const struct name_space *own = named(space);
    if (is_qualified && name[-2].kind == TOKEN_NAME && own && token_same_name(name - 2, own->name))
        return QUALIFIED;
    if (is_qualified && name[-2].kind != TOKEN_NAME && !own)
        return QUALIFIED;
    int distance = 0;
    for (const struct name_space *at = named(parser->space);; at = named(at->outer), distance++) {
        if (space_same(at, space))
            return AROUND - distance;
        if (!at)
            return 0;
    }
}
