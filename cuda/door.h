/* door.h - a kernel of a .cu file to PTX, by a compiler of the machine: the way in where the built-in
 * language ends.
 *
 * The compiler gets the text's device part (sim/lang/device_part.h) behind declarations of our own: for clang
 * all that CUDA's headers would bring, so that no toolkit is needed; for NVRTC what it lacks; nvcc has the
 * text's own headers. A template is instantiated by a line at the end. The PTX speaks of the text's own
 * lines; its file is DOOR_FILE.
 *
 * A program is run without a shell, in a folder of its own under TMPDIR, for at most DOOR_SECONDS; no name
 * that the user chose is on its command line. NVRTC is a library (compiler.h), which runs in a copy of this
 * process. PTX of more than 256 MiB is cut, and then refused where it is read.
 */
#ifndef LANESCOPE_CUDA_DOOR_H
#define LANESCOPE_CUDA_DOOR_H

#include "../sim/lang/device_part.h"

#define DOOR_FILE    DEVICE_PART_FILE
#define DOOR_SECONDS 60

enum door { DOOR_NVRTC, DOOR_CLANG, DOOR_NVCC };

struct door_result {
    struct device_part part; /* what was compiled: its parameters, and a template's arguments */
    char *ptx;               /* of `size` bytes, and a NUL */
    size_t size;
    char compiler[60]; /* "clang 14" */
    char assumed[400]; /* what names that nothing declares were taken as; "" */
};

/* False after filling the problem: the compiler is not there, or does not take the text (its first error).
 * `assumes`: names that nothing declares are stood in for (standin.h), and constants among them asked for.
 * door_free() gives the result back; after a failure there is none. */
bool door_compile(enum door door, bool assumes, const struct device_part_request *request,
                  struct door_result *result, struct problem *problem);
void door_free(struct door_result *result);

/* What NVRTC compiles: declarations, then the part. In memory of its own. */
char *door_nvrtc_source(const struct device_part *part, size_t *size);

/* The kernel as an expression: "a::k<32, float>". In memory of its own. */
char *door_kernel_expression(const struct device_part *part);

#endif
