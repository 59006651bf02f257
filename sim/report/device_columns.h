/* device_columns.h - the last columns of every table whose numbers rest on a device's rules: which device,
 * and whether its rules are verified or assumed. Not in text, which says so above. */
#ifndef LANESCOPE_REPORT_DEVICE_COLUMNS_H
#define LANESCOPE_REPORT_DEVICE_COLUMNS_H

#include "../../base/table.h"
#include "../model/device.h"

#define DEVICE_COLUMNS                                                                                       \
    {"device", NULL},                                                                                        \
    {                                                                                                        \
        "rules", NULL                                                                                        \
    }

void table_device(struct table *table, const struct device *device);
void stream_device(struct stream *stream, const struct device *device);

#endif
