/* lanescope.h - what a CUDA kernel asks of memory, counted by a library: no GPU, no files, no output.
 *
 *     struct lanescope_question question = {.text = text, .rows = 1000, .cols = 700};
 *     struct lanescope_error error;
 *     struct lanescope_counts *counts = lanescope_count(&question, &error);
 *     if (!counts)
 *         show(error.complaint);
 *     else
 *         for (size_t i = 0; i < counts->row_count; i++)
 *             ... counts->rows[i] ...
 *     lanescope_counts_free(counts);
 *
 * A question begins all zero, and what is zero in it is not given: fields may be added at its end, so set
 * them by name. Answers own all that they point at until they are freed. There are no globals: threads may
 * ask at the same time. Where memory runs out the program is aborted.
 */
#ifndef LANESCOPE_H
#define LANESCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lanescope_question {
    const char *name;   /* how complaints call the text: "mine.cu". With no text: a kernel that comes with the
                           library, "padded" or "zoo:pad-unused" */
    const char *text;   /* of a .cu or .ptx file; includes are passed over */
    size_t text_bytes;  /* 0: it ends in NUL */
    const char *kernel; /* which __global__ function; NULL: the only one */
    const char *template_arguments; /* "32, float" */
    uint32_t rows, cols;            /* of the input; 0: as the text's launch says, else 100 and 70 */
    uint32_t block[3], grid[3];     /* 0: as the text says; a missing y or z is 1 */
    unsigned elem_bytes;            /* 1, 2, 4, 8 or 16 */
    uint64_t shared_bytes;          /* of extern __shared__ memory */
    const char *device;             /* "sm_80"; NULL: sm_90, for which the rules are verified */
    const char *input, *output; /* names of the matrices' parameters; NULL: found by what is done to them */
    /* Lists that end with NULL, or NULL: */
    const char *const *definitions; /* "PITCH=33": macros */
    const char *const *arguments;   /* "n=rows * cols": scalar parameters */
    const char *const *offsets;     /* "in=3": elements that the host adds to a pointer */
    const char *const *data;        /* "index=random:0..99": what integer buffers hold */
    uint64_t budget;                /* steps of a warp before it is called endless; 0: 2^28 */
};

enum lanescope_error_kind {
    LANESCOPE_INPUT = 1, /* the text or a number is wrong, or not supported */
    LANESCOPE_WORLD,     /* no memory for what was asked */
    LANESCOPE_KERNEL     /* the kernel does what no kernel may, so that it cannot be run to its end */
};

struct lanescope_error {
    enum lanescope_error_kind kind;
    char message[400];    /* a sentence */
    char file[200];       /* the text's name; "": it has no place */
    int line, column;     /* from 1; 0: it has no place */
    char complaint[1200]; /* file:line:column: message, the line and a caret below it, as compilers do */
};

/* An access of the kernel, and what all warps of the launch ask with it. */
struct lanescope_row {
    int line, column;       /* from 1 */
    const char *kind;       /* "global load", "shared store", "global atomic", ... */
    const char *access;     /* "load in[(size_t)y * cols + x]" */
    const char *unit;       /* what actual and ideal are counted in: "sectors" or "wavefronts" */
    unsigned lane_bytes;    /* that a lane moves */
    uint64_t requests;      /* warp instructions with an active lane */
    uint64_t lanes;         /* active lanes */
    uint64_t actual, ideal; /* ideal: the fewest for the bytes that are asked for */
    uint64_t lines;         /* global memory: distinct 128-byte lines of each request */
    uint64_t out_of_bounds; /* lanes outside their buffer */
    uint64_t misaligned;    /* lanes whose address is no multiple of lane_bytes */
};

struct lanescope_counts {
    size_t row_count;
    const struct lanescope_row *rows; /* in the order of the text */
    uint32_t rows_of_input, cols_of_input, block[3], grid[3];
    unsigned elem_bytes;
    const char *device;
    bool verified;      /* the device's rules are, against hardware counters */
    int overflow_line;  /* integer arithmetic overflows there, so that the counts mean little; 0: nowhere */
    int uncounted_line; /* textures or surfaces are read there, which are not counted; 0: nowhere */
};

struct lanescope_finding {
    bool is_fault;        /* or a note: right as it stands, worth knowing */
    int cause;            /* the index of the finding that it follows from; -1: none */
    const char *kind;     /* a word for programs: "shared-race" */
    const char *title;    /* for people: "race in shared memory" */
    int line;             /* from 1; 0: a matter of the launch */
    const char *sentence; /* what, where, who */
};

/* Is the kernel right: as a transposition, or what a `// task:` line at its top says? */
struct lanescope_audit {
    bool correct;   /* every output cell ends with what belongs there, by defined means */
    bool faultless; /* and there is no fault at all */
    uint64_t cells; /* of the output */
    uint64_t wrong; /* of them wrong or missing */
    size_t finding_count;
    const struct lanescope_finding *findings; /* causes first, what follows last */
};

/* NULL after filling the error. */
struct lanescope_counts *lanescope_count(const struct lanescope_question *question,
                                         struct lanescope_error *error);
void lanescope_counts_free(struct lanescope_counts *counts);

/* Takes time and memory with the size of the output. NULL after filling the error. */
struct lanescope_audit *lanescope_audit(const struct lanescope_question *question,
                                        struct lanescope_error *error);
void lanescope_audit_free(struct lanescope_audit *audit);

const char *lanescope_version(void); /* "0.1.0" */

#ifdef __cplusplus
}
#endif

#endif
