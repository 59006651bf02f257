/* scenario_task.c - what the kernel is for, beyond one matrix: batches, permutations of axes, maps. */
#include <inttypes.h>
#include <string.h>

#include "scenario_parts.h"

bool scenario_take_shape(struct scenario *s, struct problem *problem)
{
    const struct axes *axes = &s->options.axes, *extents = &s->options.extents;
    bool seen[TASK_AXES] = {false};
    uint64_t rows = 1;
    if (!axes->count && !extents->count)
        return true;
    if (axes->count != extents->count)
        return problem_say(problem,
                           "a permutation needs a shape with an extent for each axis: %u axes and %u extents "
                           "are given",
                           axes->count, extents->count);
    for (unsigned i = 0; i < axes->count; i++) {
        if (axes->at[i] >= axes->count || seen[axes->at[i]])
            return problem_say(problem, "a permutation of %u axes has each of 0 to %u once", axes->count,
                               axes->count - 1);
        seen[axes->at[i]] = true;
        rows *= i + 1 < extents->count ? extents->at[i] : 1;
        if (rows > INT32_MAX)
            return problem_say(problem, "all extents but the last make more than 2147483647 rows");
    }
    if (s->options.batch > 1 || s->options.map || s->options.task != TASK_OF_TEXT)
        return problem_say(problem, "a permutation is a task of its own: leave the other task out");
    if (s->rows || s->cols)
        return problem_say(problem, "a shape says all sizes: leave rows and cols out");
    s->rows = s->options.rows = (uint32_t)rows;
    s->cols = s->options.cols = extents->at[extents->count - 1];
    return true;
}

/* Of the cells that the formula gives no number for, and of those outside, none belongs anywhere. */
static int64_t map_source(const void *self, uint64_t cell)
{
    const struct scenario *s = self;
    int64_t names[3][FORMULA_LANES] = {{0}}, value[FORMULA_LANES];
    names[0][0] = (int64_t)cell;
    names[1][0] = (int64_t)(cell / s->cols);
    names[2][0] = (int64_t)(cell % s->cols);
    bool none = formula_values(&s->map_formula, 1, (const int64_t(*)[FORMULA_LANES])names, value) != 0;
    return none || value[0] < 0 || (uint64_t)value[0] >= (uint64_t)s->rows * s->cols ? -1 : value[0];
}

static void set_permutation(struct scenario *s)
{
    const struct axes *axes = &s->options.axes, *extents = &s->options.extents;
    struct owners_task *task = &s->task;
    task->axes = axes->count;
    for (unsigned i = 0; i < axes->count; i++) {
        unsigned from = axes->at[i];
        task->extent[i] = extents->at[from];
        task->stride[i] = 1;
        for (unsigned k = from + 1; k < axes->count; k++)
            task->stride[i] *= extents->at[k];
    }
}

bool scenario_set_task(struct scenario *s, struct problem *problem)
{
    static const char *const names[] = {"i", "row", "col"};
    const struct binding bindings[] = {{"rows", s->rows}, {"cols", s->cols}};
    uint64_t longest = s->rows > s->cols ? s->rows : s->cols;
    s->task.batch = s->options.batch ? s->options.batch : 1;
    if (s->task.batch * longest > INT32_MAX)
        return problem_say(problem, "%u matrices have more than 2147483647 rows in all", s->task.batch);
    set_permutation(s);
    if (!s->options.map)
        return true;
    struct source *text = arena_take(&s->arena, sizeof *text);
    *text = scenario_text(s, "task", s->options.map);
    if (!unit_formula(s->unit, text, names, 3, bindings, 2, &s->map_formula, problem))
        return false;
    s->map = (struct task_map){s, map_source};
    return true;
}
