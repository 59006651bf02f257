/* compiler.h - kernel text to machine code, by NVRTC.
 *
 * NVRTC is a library that is opened at run time: libnvrtc.so.13, .12 or .11, looked for where the loader
 * looks (LD_LIBRARY_PATH), then in CUDA_HOME and /usr/local/cuda. It needs no GPU. Two implementations,
 * chosen by the Makefile, as for gpu.h.
 *
 * `#include <...>` lines meet an empty header, as the simulator passes them over, unless the toolkit's are
 * asked for.
 */
#ifndef LANESCOPE_CUDA_COMPILER_H
#define LANESCOPE_CUDA_COMPILER_H

#include "../base/problem.h"

struct compiler;

struct binary {
    char *image; /* a cubin, or PTX */
    size_t size; /* bytes of it */
    char *name;  /* the kernel's lowered name */
};

/* False if the library is not found, or if this program was built without CUDA. */
bool compiler_open(struct compiler **compiler, struct problem *problem);
void compiler_close(struct compiler *compiler); /* NULL is fine */
void compiler_version(const struct compiler *compiler, int *major, int *minor);

/* Architectures that it compiles for: 75, 80, ... Returns their number, at most `limit`. */
unsigned compiler_architectures(const struct compiler *compiler, int *list, unsigned limit);

struct compilation {
    const struct source *text;
    const char *const *definitions; /* "TILE=32" */
    unsigned definition_count;
    const char *kernel;
    int architecture;   /* 90 */
    bool is_ptx;        /* PTX with the text's lines instead of a cubin */
    char **log;         /* if not NULL: all that was said of a failure, free() */
    unsigned registers; /* of a thread, at most; 0: as the compiler likes */
    bool has_headers;   /* #include finds the toolkit's headers, where there is one, and none is empty */
};

/* Where the toolkit's headers are; NULL: there is none. */
const char *compiler_include_folder(void);

/* False with the first error of the compiler's log. binary_free() gives the result back. */
bool compiler_compile(struct compiler *compiler, const struct compilation *task, struct binary *binary,
                      struct problem *problem);
void binary_free(struct binary *binary);

#endif
