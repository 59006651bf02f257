/* unit_state.h - what a unit is made of. Inside lang; others use lang.h. */
#ifndef LANESCOPE_LANG_UNIT_STATE_H
#define LANESCOPE_LANG_UNIT_STATE_H

#include "code.h"
#include "lang.h"

enum { KERNEL_LIMIT = 256 };

struct kernel_entry {
    char *name;
    const struct token *begin, *name_token, *end; /* end: the token after the closing brace */
    struct template_head head;                    /* begin NULL: no template */
};

struct unit {
    struct arena arena;
    struct preprocessor pre;
    const struct source *source;
    struct scope globals;
    struct kernel_tree file_shared; /* extern __shared__ at file level, seen by every kernel */
    struct kernel_entry kernels[KERNEL_LIMIT];
    unsigned kernel_count;
    struct function *functions; /* the last one first */
    struct kernel_tree tree;    /* of the program: path.h reads it */
    struct program program;
    bool has_program;
    char assumed[120]; /* types that the program takes as float: nothing says them */
    struct host *host; /* host.h; NULL until it is asked for */
};

static inline struct parser parser_at(struct unit *unit, const struct token *at, struct problem *problem)
{
    return (struct parser){.pre = &unit->pre,
                           .at = at,
                           .last = at,
                           .arena = &unit->arena,
                           .problem = problem,
                           .scope = &unit->globals,
                           .functions = unit->functions,
                           .kernel = &unit->file_shared};
}

/* unit.c: a tree whose shared arrays begin with those of the file. */
void unit_begin_tree(struct unit *unit, struct kernel_tree *tree);

/* formula.c: tokens of `text` with the unit's macros replaced, ending in TOKEN_END; free the list. */
bool unit_expand(struct unit *unit, const struct source *text, struct token_list *list,
                 struct problem *problem);

/* unit.c: code for the tree, replacing the unit's program. NULL after filling the problem. */
const struct program *unit_finish(struct unit *unit, const struct kernel_tree *tree,
                                  const struct source *source, struct problem *problem);

#endif
