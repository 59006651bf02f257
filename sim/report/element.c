#include "element.h"

#include <stddef.h>

static const struct element {
    unsigned bytes;
    const char *type, *integer;
} elements[] = {
    {1, "unsigned char", "unsigned char"},
    {2, "unsigned short", "unsigned short"},
    {4, "float", "unsigned"},
    {8, "double", "unsigned long long"},
    {16, "float4", "uint4"},
};

static const struct element *find(unsigned bytes)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].bytes == bytes)
            return &elements[i];
    return NULL;
}

const char *element_type(unsigned bytes)
{
    const struct element *element = find(bytes);
    return element ? element->type : NULL;
}

const char *element_integer_type(unsigned bytes)
{
    const struct element *element = find(bytes);
    return element ? element->integer : NULL;
}
