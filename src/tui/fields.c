#include "fields.h"

const struct field_row fields[FIELD_COUNT] = {
    [FIELD_ROWS] = {"rows", NULL, " ", ""},
    [FIELD_COLS] = {"cols", NULL, "x", ""},
    [FIELD_TILE] = {"tile", "TILE", " tile ", ""},
    [FIELD_BLOCK_ROWS] = {"block rows", "BLOCK_ROWS", "x", ""},
    [FIELD_PITCH] = {"pitch", "PITCH", " pitch ", ""},
    [FIELD_ELEM] = {"elem", "ELEM", " elem ", " B"},
};

uint64_t field_value(const struct session *session, enum field field)
{
    const struct scenario *s = &session->scenario;
    const uint64_t values[FIELD_COUNT] = {s->rows, s->cols, s->tile, s->block_rows, s->pitch, s->elem_bytes};
    return values[field];
}

bool field_applies(const struct session *session, enum field field)
{
    return !fields[field].macro || session_mentions(session, fields[field].macro);
}

void field_set(struct scenario_options *options, const struct scenario *s, enum field field, uint32_t value)
{
    switch (field) {
    case FIELD_ROWS:
        options->rows = value;
        break;
    case FIELD_COLS:
        options->cols = value;
        break;
    case FIELD_TILE:
        if (options->pitch && s->pitch >= s->tile && value <= UINT32_MAX / 2)
            options->pitch = (uint32_t)(value + s->pitch - s->tile);
        options->tile = value;
        break;
    case FIELD_BLOCK_ROWS:
        options->block_rows = value;
        break;
    case FIELD_PITCH:
        options->pitch = value;
        break;
    default:
        options->elem_bytes = value;
    }
}
