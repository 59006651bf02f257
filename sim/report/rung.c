#include "rung.h"

#include <string.h>

const struct rung *rung_find(const char *name)
{
    for (size_t i = 0; i < rung_count; i++)
        if (strcmp(rungs[i].name, name) == 0)
            return &rungs[i];
    return NULL;
}

const struct rung *kernel_find(const char *name)
{
    static const char prefix[] = "zoo:";
    bool is_zoo = strncmp(name, prefix, sizeof prefix - 1) == 0;
    const struct rung *rung = is_zoo ? NULL : rung_find(name);
    for (size_t i = 0; !rung && i < zoo_count; i++)
        if (strcmp(zoo[i].name, is_zoo ? name + sizeof prefix - 1 : name) == 0)
            rung = &zoo[i];
    return rung;
}
