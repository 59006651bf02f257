#include "matrix.h"

#include "scenario_data.h"

struct owners_task scenario_task(const struct scenario *s)
{
    struct owners_task task = {s->rows, s->cols, s->elem_bytes, s->in, s->out, s->is_copy, 0, 0};
    for (unsigned i = 0; i < s->data_count; i++)
        task.known |= UINT64_C(1) << s->data[i].parameter;
    return task;
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
