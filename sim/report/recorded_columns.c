#include "recorded_columns.h"

#include <stddef.h>
#include <string.h>

#include "../../base/parse_number.h"

#define TARGET(field) offsetof(struct scenario_options, field), sizeof(((struct scenario_options *)0)->field)

const struct launch_column_row launch_columns[LAUNCH_COLUMN_COUNT] = {
    [LAUNCH_KERNEL] = {.name = "kernel"},
    [LAUNCH_ROWS] = {"rows", false, 1, INT32_MAX, TARGET(rows)},
    [LAUNCH_COLS] = {"cols", false, 1, INT32_MAX, TARGET(cols)},
    [LAUNCH_TILE] = {"tile", false, 1, 1024, TARGET(tile)},
    [LAUNCH_BLOCK_ROWS] = {"block_rows", false, 1, 1024, TARGET(block_rows)},
    [LAUNCH_PITCH] = {"pitch", false, 1, 1 << 24, TARGET(pitch)},
    [LAUNCH_ELEM_BYTES] = {"elem_bytes", false, 1, 16, TARGET(elem_bytes)},
    [LAUNCH_IN_OFFSET] = {"in_offset", true, 0, UINT32_MAX, TARGET(in_offset)},
    [LAUNCH_OUT_OFFSET] = {"out_offset", true, 0, UINT32_MAX, TARGET(out_offset)},
};

const char *const access_columns[ACCESS_COLUMN_COUNT] = {
    [ACCESS_COLUMN_NAME] = "name",
    [ACCESS_COLUMN_SPACE] = "space",
    [ACCESS_COLUMN_OP] = "op",
    [ACCESS_COLUMN_BYTES] = "bytes",
    [ACCESS_COLUMN_MASK] = "active_mask",
    [ACCESS_COLUMN_OFFSETS] = "offsets",
    [ACCESS_COLUMN_WAVEFRONTS] = "wavefronts",
    [ACCESS_COLUMN_BANK_CONFLICTS] = "bank_conflicts",
    [ACCESS_COLUMN_REQUESTS] = "requests",
    [ACCESS_COLUMN_SECTORS] = "sectors",
};

bool launch_column_read(enum launch_column column, const char *text, struct scenario_options *options)
{
    const struct launch_column_row *row = &launch_columns[column];
    uint64_t number;
    if (!text || !parse_number(text, row->least, row->most, &number))
        return false;
    char *place = (char *)options + row->offset;
    if (row->width == sizeof number)
        memcpy(place, &number, sizeof number);
    else
        memcpy(place, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
    return true;
}

uint64_t launch_column_value(enum launch_column column, const struct scenario_options *options)
{
    const struct launch_column_row *row = &launch_columns[column];
    const char *place = (const char *)options + row->offset;
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (row->width == sizeof wide)
        memcpy(&wide, place, sizeof wide);
    else if (row->width == sizeof narrow)
        memcpy(&narrow, place, sizeof narrow);
    return wide + narrow;
}
