#include "device_columns.h"

void table_device(struct table *table, const struct device *device)
{
    table_text(table, device->name);
    table_text(table, device_rules_word(device));
}

void stream_device(struct stream *stream, const struct device *device)
{
    stream_text(stream, device->name);
    stream_text(stream, device_rules_word(device));
}
