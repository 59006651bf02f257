#include "access_kind.h"

#include <stddef.h>

#define SECTORS    "sector", "sectors"
#define WAVEFRONTS "wavefront", "wavefronts"

const struct access_kind access_kinds[ACCESS_KINDS] = {
    {GLOBAL_LOAD, SPACE_GLOBAL, ACCESS_LOAD, true, false, false, "global load", "global ld", "load", SECTORS,
     "global_op_ld"},
    {GLOBAL_STORE, SPACE_GLOBAL, ACCESS_STORE, false, true, false, "global store", "global st", "store",
     SECTORS, "global_op_st"},
    {SHARED_LOAD, SPACE_SHARED, ACCESS_LOAD, true, false, true, "shared load", "shared ld", "load",
     WAVEFRONTS, "shared_op_ld"},
    {SHARED_STORE, SPACE_SHARED, ACCESS_STORE, false, true, false, "shared store", "shared st", "store",
     WAVEFRONTS, "shared_op_st"},
    {GLOBAL_ATOMIC, SPACE_GLOBAL, ACCESS_ATOMIC, true, true, false, "global atomic", "global at", "atomic",
     SECTORS, "global_op_atom"},
    {SHARED_ATOMIC, SPACE_SHARED, ACCESS_ATOMIC, true, true, false, "shared atomic", "shared at", "atomic",
     WAVEFRONTS, "shared_op_atom"},
};

const struct access_kind *access_kind_of(enum memory_space space, enum access_op op)
{
    for (int i = 0; i < ACCESS_KINDS; i++)
        if (access_kinds[i].space == space && access_kinds[i].op == op)
            return &access_kinds[i];
    return NULL;
}
