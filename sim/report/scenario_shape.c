/* scenario_shape.c - block and grid: of the options, formulas of the headnote, or the text's launch. */
#include "scenario_parts.h"

#include <inttypes.h>
#include <string.h>

/* "a, b, c" at top-level commas, each a formula. */
static bool evaluate_shape(struct scenario *s, const struct source *text, const char *what, uint32_t size[3],
                           struct problem *problem)
{
    size_t at = 0;
    for (unsigned i = 0; i < 3; i++)
        size[i] = 1;
    for (unsigned i = 0; at < text->size; i++) {
        size_t end = (size_t)(scenario_item_end(text->bytes + at, text->bytes + text->size) - text->bytes);
        struct source formula = {text->name, text->bytes + at, end - at};
        int64_t value;
        if (i == 3)
            return problem_say(problem, "a %s has at most three directions", what);
        if (!scenario_evaluate(s, &formula, &value, problem))
            return false;
        if (value < 1 || value > UINT32_MAX)
            return problem_say(
                problem, "the %s of %s comes to %" PRId64 " in one direction; it must be 1 to 4294967295",
                what, text->name, value);
        size[i] = (uint32_t)value;
        at = end + 1;
    }
    return true;
}

/* Which of the two, as problems speak of it. */
struct shape_of {
    const char *what, *example;
    enum problem_cure cure;
    const uint32_t *of_launch; /* NULL: the text's launch does not say it */
};

static bool set_shape(struct scenario *s, const struct shape *given, const struct source *note,
                      const struct shape_of *part, uint32_t size[3], struct problem *problem)
{
    const char *what = part->what;
    if (!given->count && !note->size && part->of_launch) {
        memcpy(size, part->of_launch, 3 * sizeof *size);
        return true;
    }
    bool is_largest;
    if (!given->count && !note->size && part->cure == PROBLEM_CURE_BLOCK && s->ptx &&
        ptx_block(s->ptx, size, &is_largest)) {
        if (is_largest)
            scenario_note(s, "block %u x %u x %u, the largest that .maxntid allows", size[0], size[1],
                          size[2]);
        return true;
    }
    if (!given->count && !note->size) {
        problem_offer(problem, part->cure);
        return problem_say(problem, "%s does not say its %s; write a comment line `// %s: %s` at its top",
                           s->text.name, what, what, part->example);
    }
    if (!given->count)
        return evaluate_shape(s, note, what, size, problem);
    for (unsigned i = 0; i < 3; i++)
        size[i] = i < given->count ? given->size[i] : 1;
    return true;
}

bool scenario_set_shapes(struct scenario *s, struct problem *problem)
{
    const struct scenario_launch *from = s->from;
    const struct shape_of block = {"block", "32, 8", PROBLEM_CURE_BLOCK,
                                   from->block ? from->block_size : NULL};
    const struct shape_of grid = {"grid", "(cols + 31) / 32, (rows + 31) / 32", PROBLEM_CURE_GRID,
                                  from->grid ? from->grid_size : NULL};
    return set_shape(s, &s->options.block, &s->note.block, &block, s->launch.block, problem) &&
           set_shape(s, &s->options.grid, &s->note.grid, &grid, s->launch.grid, problem);
}
