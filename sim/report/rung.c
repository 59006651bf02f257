#include "rung.h"

#include <string.h>

const struct rung *rung_find(const char *name)
{
    for (size_t i = 0; i < rung_count; i++)
        if (strcmp(rungs[i].name, name) == 0)
            return &rungs[i];
    return NULL;
}
