#include "matrix.h"

#include <stdio.h>

#include "scenario_data.h"

struct owners_task scenario_task(const struct scenario *s)
{
    struct owners_task task = s->task;
    task.rows = s->rows;
    task.cols = s->cols;
    task.elem_bytes = s->elem_bytes;
    task.in = s->in;
    task.out = s->out;
    task.is_copy = s->is_copy;
    task.map = s->map.source ? &s->map : NULL;
    for (unsigned i = 0; i < s->data_count; i++)
        task.known |= UINT64_C(1) << s->data[i].parameter;
    return task;
}

/* "permutation 0,2,1 of 8 x 64 x 48" */
static void axes_name(const struct scenario *s, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "permutation ");
    const struct axes *axes = &s->options.axes, *extents = &s->options.extents;
    for (unsigned i = 0; i < axes->count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%u", i ? "," : "", axes->at[i]);
    for (unsigned i = 0; i < extents->count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%u", i ? " x " : " of ", extents->at[i]);
}

uint32_t scenario_out_rows(const struct scenario *s)
{
    struct owners_task task = scenario_task(s);
    return task_out_rows(&task);
}

uint32_t scenario_out_cols(const struct scenario *s)
{
    struct owners_task task = scenario_task(s);
    return task_out_cols(&task);
}

void scenario_task_name(const struct scenario *s, char *out, size_t size)
{
    const struct owners_task *task = &s->task;
    char what[120];
    if (s->map.source)
        (void)snprintf(what, sizeof what, "map of %u x %u", s->rows, s->cols);
    else if (task->axes)
        axes_name(s, what, sizeof what);
    else if (task->batch > 1)
        (void)snprintf(what, sizeof what, "%s of %u matrices of %u x %u", s->is_copy ? "copy" : "transpose",
                       task->batch, s->rows, s->cols);
    else
        (void)snprintf(what, sizeof what, "%s of %u x %u", s->is_copy ? "copy" : "transpose", s->rows,
                       s->cols);
    (void)snprintf(out, size, "%s elements of %u byte%s", what, s->elem_bytes, s->elem_bytes == 1 ? "" : "s");
}

const char *scenario_buffer_name(const struct scenario *s, const struct access *access)
{
    return access->site->kind->space == SPACE_SHARED ? s->program->shared[access->buffer].name
                                                     : s->program->parameters[access->buffer].name;
}

/* Elements in a row of what the access touches; 0 if it has no rows. */
static int64_t width_of(const struct scenario *s, const struct access *access, int64_t *size)
{
    *size = s->elem_bytes;
    if (access->site->kind->space == SPACE_GLOBAL)
        return access->buffer == s->out ? scenario_out_cols(s) : s->cols;
    const struct shared_array *array = &s->program->shared[access->buffer];
    *size = (int64_t)type_size(&array->element);
    if (array->type.kind == TYPE_ARRAY && array->type.to->kind == TYPE_ARRAY)
        return (int64_t)(type_size(array->type.to) / type_size(&array->element));
    return (int64_t)s->pitch;
}

bool scenario_element(const struct scenario *s, const struct access *access, unsigned lane, int64_t *row,
                      int64_t *col)
{
    int64_t byte = access_offset(access, lane), size, width = width_of(s, access, &size);
    if (access->site->kind->space == SPACE_SHARED)
        byte -= (int64_t)s->program->shared[access->buffer].offset;
    if (!(access->mask >> lane & 1) || byte < 0 || width <= 0)
        return false;
    *row = byte / size / width;
    *col = byte / size % width;
    return true;
}
