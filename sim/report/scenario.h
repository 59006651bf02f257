/* scenario.h - everything needed to run one kernel: its text, sizes, macros, launch and device.
 *
 * A scenario is opened once and then only read. It owns the unit and the program; the text (struct source)
 * must outlive it. Two scenarios are independent: that is how configurations are compared.
 */
#ifndef LANESCOPE_REPORT_SCENARIO_H
#define LANESCOPE_REPORT_SCENARIO_H

#include "../audit/judge.h"
#include "../exec/exec.h"
#include "../lang/device_part.h"
#include "../lang/lang.h"
#include "../model/device.h"
#include "../ptx/ptx.h"
#include "../../base/arena.h"
#include "headnote.h"

#define SCENARIO_TEXT_LIMIT 64u /* definitions, arguments */
#define SCENARIO_DEFINITION_LIMIT                                                                            \
    (SCENARIO_TEXT_LIMIT + 4) /* with those of tile, rows, pitch and element                                 \
                               */

struct shape { /* "32x8": a block or a grid; count 0 = not given */
    unsigned count;
    uint32_t size[3];
};

struct axes { /* "8,64,48" or "0,2,1" */
    unsigned count;
    uint32_t at[TASK_AXES];
};

/* What a compiler of the machine made of the text's kernel. All of it lives as long as the compiler does. */
struct scenario_compiled {
    struct source ptx;
    const char *const *parameters; /* their names in the text; "" where one has none */
    unsigned parameter_count;
    const char *compiler;           /* "clang 14"; NULL: the built-in language read the kernel */
    const char *template_arguments; /* "32, float"; "" or NULL: none */
    bool template_assumed;          /* nothing in the text says them */
    const char *assumed; /* what names that nothing declares were taken as; "" or NULL: there are none */
};

/* The way in where the built-in language ends. Compilers are asked in turn: `attempt` counts from 0, and
 * false with no problem means that there are no more. */
struct scenario_compiler {
    void *self;
    bool only; /* the built-in language is not asked first */
    bool (*compile)(void *self, unsigned attempt, const struct device_part_request *request,
                    struct scenario_compiled *compiled, struct problem *problem);
};

struct scenario_options {
    const struct scenario_compiler *compiler; /* NULL: the built-in language alone */
    const struct include_reader *includes;    /* NULL: they are passed over */
    const struct watch *watch;                /* of every execution; NULL: nobody */
    uint32_t rows, cols; /* of the input, 1 to 2^31 - 1; 0: as the text's launch says, or 100 x 70 */
    uint32_t tile, block_rows,
        pitch;           /* 0: what the text says; refused for a file that does not use that macro */
    unsigned elem_bytes; /* 1, 2, 4, 8, 16; 0: 4 for a text that uses ELEM, otherwise the output's element */
    uint64_t in_offset, out_offset; /* elements past a 256-byte aligned address */
    const struct device *device;    /* NULL: DEVICE_DEFAULT */
    const char *kernel; /* NULL: the only one; a template's may have its arguments: name<32, float> */
    const char *template_arguments; /* "32, float"; NULL: those of the kernel's name, or of the text */
    const char *in, *out; /* names of the matrices' parameters; NULL: found by what the kernel does */
    struct shape block, grid;
    uint64_t dynamic_shared;                      /* bytes; 0: the headnote's */
    const char *definitions[SCENARIO_TEXT_LIMIT]; /* NAME=VALUE */
    unsigned definition_count;
    const char *arguments[SCENARIO_TEXT_LIMIT]; /* name=formula */
    unsigned argument_count;
    const char *offsets[SCENARIO_TEXT_LIMIT]; /* name=formula: elements that the host shifts a pointer by */
    unsigned offset_count;
    const char *data[SCENARIO_TEXT_LIMIT]; /* name=contents: scenario_data.h */
    unsigned data_count;
    uint64_t seed; /* of random contents */
    const char *definition_name, *argument_name,
        *data_name; /* what problems call those texts, "-D"; NULL: by the word */
    enum task { TASK_OF_TEXT, TASK_TRANSPOSE, TASK_COPY } task; /* TASK_OF_TEXT: what the headnote says */
    uint32_t batch;            /* of the task: so many matrices behind one another; 0: one */
    struct axes axes, extents; /* a permutation of the axes of a shape, slowest first; count 0: none */
    const char *map; /* a formula of i, row, col: which cell of the input belongs in cell i; NULL: none */
    const char *elem_type; /* NULL: float and its kin by elem_bytes */
    uint64_t budget;       /* 0: the default */
    bool any_grid;         /* larger ones than CUDA takes, too */
    bool assume;           /* what nothing says is assumed, and `assumed` says what; else it is asked for */
};

struct scenario_data;
#define SCENARIO_ROWS      100u
#define SCENARIO_COLS      70u
#define SCENARIO_NOTE_SIZE 600
#define SCENARIO_LARGE     (UINT64_C(1) << 45) /* bytes of a buffer whose size nothing says */

struct scenario {
    struct scenario_options options;
    struct source text;
    struct headnote note;
    struct arena arena;
    struct unit *unit;        /* of PTX: of no text, for formulas */
    struct ptx_unit *ptx;     /* NULL: the text is CUDA */
    const char **definitions; /* NAME=VALUE: all that the unit was opened with */
    unsigned definition_count;
    const struct program *program;
    struct scenario_compiled compiled;
    char refusal[SCENARIO_NOTE_SIZE]; /* why a compiler was asked: the built-in language's complaint; or "" */
    struct launch launch;
    const struct device *device;
    uint32_t rows, cols;
    unsigned elem_bytes;
    uint64_t tile, block_rows, pitch; /* as the text's macros have them; 0 if it has none */
    struct scenario_data *data;       /* buffers whose contents are given */
    unsigned data_count;
    int in, out;             /* parameters: the matrix read, the matrix written; -1 if there is none */
    uint64_t shared_bytes;   /* of a block, static and dynamic */
    bool is_copy;            /* out = in; otherwise out[j][i] = in[i][j] */
    struct owners_task task; /* all of it but what buffers hold; its map is the next, which must stay here */
    struct task_map map;
    struct formula map_formula;
    int template_line;                       /* of the launch whose template arguments were taken; 0: none */
    char note_of_launch[SCENARIO_NOTE_SIZE]; /* where its numbers come from, where the text's host code says
                                                them; "" where only options and the headnote do */
    char assumed[SCENARIO_NOTE_SIZE];        /* "block 256, grid 28": by scenario_assume.c; "": nothing */
    struct scenario_launch *from;            /* scenario_parts.h */
};

/* False after filling the problem; the scenario is then closed. */
bool scenario_open(struct scenario *scenario, const struct source *text,
                   const struct scenario_options *options, struct problem *problem);
void scenario_close(struct scenario *scenario);

#endif
