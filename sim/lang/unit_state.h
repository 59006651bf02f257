/* unit_state.h - what a unit is made of. Inside lang; others use lang.h. */
#ifndef LANESCOPE_LANG_UNIT_STATE_H
#define LANESCOPE_LANG_UNIT_STATE_H

#include "code.h"
#include "lang.h"

enum { KERNEL_LIMIT = 256, PRELUDE_LIMIT = 16 };

struct kernel_entry {
    char *name;
    const struct token *begin, *name_token, *end; /* end: the token after the closing brace */
    struct template_head head;                    /* begin NULL: no template */
    struct template_head pattern; /* of a specialisation: what stands behind its name, or NULL there */
    bool is_specialised;          /* its head is empty: template <> */
    const struct name_space *space;
};

struct unit {
    struct arena arena;
    struct preprocessor pre;
    const struct source *source;
    struct scope globals;
    const struct name_space *space; /* that the next item stands in */
    struct kernel_tree file_shared; /* extern __shared__ at file level, seen by every kernel */
    struct kernel_entry kernels[KERNEL_LIMIT];
    unsigned kernel_count;
    struct function *functions;     /* the last one first */
    struct class_template *classes; /* likewise */
    struct kernel_tree tree;        /* of the program: path.h reads it */
    struct program program;
    bool has_program;
    char assumed[140];    /* "float for T, int for I": types that nothing says */
    bool assumed_integer; /* the last of them */
    char arguments[400];  /* of the program's template: "float, 32"; "" where that cannot be written so */
    struct token_list preludes[PRELUDE_LIMIT];
    unsigned prelude_count;
    char borrowed[200];             /* classes that are not in the text: "pair as C++ has it" */
    struct assumptions assumptions; /* of the kernel that is being read */
    struct host *host;              /* host.h; NULL until it is asked for */
};

static inline struct parser parser_at(struct unit *unit, const struct token *at, struct problem *problem)
{
    return (struct parser){.pre = &unit->pre,
                           .at = at,
                           .last = at,
                           .arena = &unit->arena,
                           .problem = problem,
                           .scope = &unit->globals,
                           .space = unit->space,
                           .functions = unit->functions,
                           .classes = unit->classes,
                           .kernel = &unit->file_shared};
}

/* unit.c: a tree whose shared arrays begin with those of the file. */
void unit_begin_tree(struct unit *unit, struct kernel_tree *tree);

/* unit_text.c: what a kernel's template names stand for, once they are bound. */
void unit_note_arguments(struct unit *unit, const struct parser *parser, const struct template_names *names);

/* unit_template.c: binds the names of a template kernel in the parser's scope: the given arguments (NULL:
 * none), or the one instantiation that the text has, or defaults; a type that nothing says is float, and
 * noted as assumed. */
bool unit_bind_template(struct unit *unit, struct parser *parser, const struct kernel_entry *entry,
                        const struct token *arguments);
void unit_add_assumed(struct unit *unit, const struct token *name, bool is_integer);

/* unit_special.c: the specialisation that stands in the place of this template kernel, whose names are bound
 * in the parser's scope; or the entry itself. */
const struct kernel_entry *unit_specialised(struct unit *unit, const struct parser *parser,
                                            const struct kernel_entry *entry);

/* prelude.c: the text of a library's classes, where the unit's text needs them; NULL. */
const struct source *prelude_piece(struct unit *unit, unsigned index);
unsigned prelude_count(void);

/* formula.c: tokens of `text` with the unit's macros replaced, ending in TOKEN_END; free the list. */
bool unit_expand(struct unit *unit, const struct source *text, struct token_list *list,
                 struct problem *problem);

/* unit.c: code for the tree, replacing the unit's program. NULL after filling the problem. */
const struct program *unit_finish(struct unit *unit, const struct kernel_tree *tree,
                                  const struct source *source, struct problem *problem);

#endif
