/* device_part.h - what a compiler needs of a .cu file to compile one of its kernels: its device part.
 *
 * Every byte keeps its line and column: what the kernel does not need is blanked, and #line leads into and
 * out of the texts that are included. Kept are the kernel, and the device functions, types and constants that
 * it names, or that those name; of classes, no host functions; and all directives but #include. What cannot
 * be told apart by its name (overloads, two types called alike in two namespaces) is kept together.
 *
 * Macros are defined as a compiler of device code defines them: __CUDACC__, and __CUDA_ARCH__ as 700.
 *
 * Limits: those of token.h; 32 MiB with all that is included.
 */
#ifndef LANESCOPE_LANG_DEVICE_PART_H
#define LANESCOPE_LANG_DEVICE_PART_H

#include "token.h"

#define DEVICE_PART_FILE "kernel.cu" /* what #line calls the text, whatever its name */

struct device_part_request {
    const struct source *text;
    const char *const *definitions; /* NAME=VALUE, as after -D */
    unsigned definition_count;
    const char *kernel;         /* NAME or NAME:LINE; NULL: the only one */
    const char *template_given; /* "32, float": instead of what the text says; NULL */
    const struct include_reader
        *includes;       /* finds #include "file", whose device part stands in its place; NULL */
    bool keeps_includes; /* #include lines stay, for a compiler that has the headers */
};

struct device_part {
    char *text; /* of `size` bytes, and a NUL */
    size_t size;
    char *kernel;      /* its name, without a line */
    char **parameters; /* of the kernel: their names, "" where one has none */
    unsigned parameter_count;
    char *scope;     /* the namespaces around it: "a::b::", or "" */
    char *arguments; /* of a template, as in "32, float"; "" where its defaults do; NULL: the kernel is no
                        template */
    bool assumed;    /* nothing in the text says them: types are taken as float */
};

/* False after filling the problem. device_part_free() gives the part back. */
bool device_part_of(const struct device_part_request *request, struct device_part *part,
                    struct problem *problem);
void device_part_free(struct device_part *part);

#endif
