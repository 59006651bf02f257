/* path.h - what stands between a kernel's beginning and one of its accesses: the conditions that a lane must
 * meet to get there, the definitions of the names in them, and their values.
 *
 * It reads the tree that a unit keeps of the kernel compiled last (unit_tree()); compiled code has none.
 * Trees are only read; what is returned lives as long as the unit.
 *
 * Limit: a path of more than PATH_LIMIT conditions is cut to its innermost; `cut` says so.
 */
#ifndef LANESCOPE_LANG_PATH_H
#define LANESCOPE_LANG_PATH_H

#include "program.h"

enum { PATH_LIMIT = 16 };

struct condition {
    const struct expr *expr;
    bool wanted;  /* the value that leads on; false: an else side, or behind `if (expr) return;` */
    bool is_loop; /* of a loop: holds for as long as the lane stays in it */
};

struct path {
    struct condition conditions[PATH_LIMIT]; /* outermost first */
    unsigned count;
    bool cut;
    const struct expr *memory; /* the access: EXPR_MEMORY */
};

/* False where the tree has no access that stands there. */
bool path_to(const struct kernel_tree *tree, const struct place *place, struct path *path);

/* What a variable stands for: its initial value, where nothing assigns to it later; NULL otherwise. */
const struct expr *path_definition(const struct kernel_tree *tree, const struct symbol *symbol);

/* What a register of the program holds. False: no number. */
struct registers {
    void *self;
    bool (*number)(void *self, unsigned index, int64_t *value);
};

/* The value of an expression of numbers and bools that touches no memory. False: it is none, or has none. */
bool path_value(const struct program *program, const struct expr *e, const struct registers *registers,
                int64_t *value);

#endif
