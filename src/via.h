/* via.h - which way a .cu file's kernel becomes a program: --via.
 *
 * Without --via the built-in language is asked first; where it refuses, the compilers of the machine in turn:
 * clang, which is quick, NVRTC, nvcc. Named, one of them alone is asked.
 */
#ifndef LANESCOPE_VIA_H
#define LANESCOPE_VIA_H

#include "../cuda/door.h"
#include "../sim/report/scenario.h"

enum via { VIA_ANY, VIA_BUILTIN, VIA_NVRTC, VIA_CLANG, VIA_NVCC };

struct via_result;

struct ways {
    struct scenario_compiler compiler;
    enum via via;
    struct via_result *results; /* kept until the end: scenarios point at them */
};

/* Fills ways->compiler, which points back at `ways`: call where it stays. */
void ways_begin(struct ways *ways, enum via via);
void ways_end(struct ways *ways);

#endif
