/* library.h - a shared library of NVIDIA's opened at run time, and its functions by name.
 *
 * CUDA's headers map a call to its versioned symbol with macros (cuMemAlloc is cuMemAlloc_v2); SYMBOL_NAME
 * sees the mapped name, so that the symbol always fits the declaration it was compiled against.
 */
#ifndef LANESCOPE_CUDA_LIBRARY_H
#define LANESCOPE_CUDA_LIBRARY_H

#include <stddef.h>

#include "../../base/problem.h"

#define SYMBOL_TEXT(name) #name
#define SYMBOL_NAME(name) SYMBOL_TEXT(name)

/* lib<name>.so of CUDA 13, 12 or 11 (there with `end_of_11` behind): where the loader looks
 * (LD_LIBRARY_PATH), then in CUDA_HOME and /usr/local/cuda. NULL: there is none. */
void *library_open(const char *name, const char *end_of_11);

/* A function's symbol, and where its pointer goes. */
struct library_symbol {
    const char *name;
    size_t offset; /* bytes, in the struct of pointers */
};

/* Fills the pointers in `into`. False with the missing symbol's name. */
bool library_bind(void *library, const char *what, const struct library_symbol *symbols, size_t count,
                  void *into, struct problem *problem);

#endif
