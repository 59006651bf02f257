#include "command.h"

#include <string.h>

#define SIZE_OPTIONS                                                                                         \
    OPTION_ROWS, OPTION_COLS, OPTION_TILE, OPTION_BLOCK_ROWS, OPTION_PITCH, OPTION_ELEM, OPTION_IN_OFFSET,   \
        OPTION_OUT_OFFSET, OPTION_DEVICE, OPTION_DEFINE
#define FILE_OPTIONS                                                                                         \
    OPTION_KERNEL, OPTION_BLOCK, OPTION_GRID, OPTION_ARG, OPTION_SHARED, OPTION_BUDGET, OPTION_TIME_LIMIT,   \
        OPTION_IN, OPTION_OUT
#define OUTPUT_OPTIONS OPTION_FORMAT, OPTION_OUTPUT, OPTION_COLOR, OPTION_HELP

static const enum option_id ladder_options[] = {SIZE_OPTIONS,   FILE_OPTIONS,   OPTION_REGISTERS,
                                                OPTION_METRICS, OUTPUT_OPTIONS, 0};
static const enum option_id banks_options[] = {OPTION_PITCH,  OPTION_TILE,  OPTION_BLOCK_ROWS, OPTION_ELEM,
                                               OPTION_DEVICE, OPTION_LANES, OUTPUT_OPTIONS,    0};
static const enum option_id trace_options[] = {SIZE_OPTIONS,   FILE_OPTIONS,   OPTION_AT_BLOCK,
                                               OPTION_AT_WARP, OPTION_AT_SITE, OPTION_AT_STEP,
                                               OPTION_LIMIT,   OUTPUT_OPTIONS, 0};
static const enum option_id owners_options[] = {SIZE_OPTIONS, FILE_OPTIONS, OPTION_TASK, OUTPUT_OPTIONS, 0};
static const enum option_id probe_options[] = {OPTION_SPACE,      OPTION_OP,
                                               OPTION_LANE_BYTES, OPTION_INDEX_BYTES,
                                               OPTION_BASE,       OPTION_BLOCK,
                                               OPTION_BLOCK_IDX,  OPTION_GRID,
                                               OPTION_ACTIVE,     OPTION_DEFINE,
                                               OPTION_DEVICE,     OPTION_LANES,
                                               OUTPUT_OPTIONS,    0};
static const enum option_id confirm_options[] = {OPTION_ROWS,
                                                 OPTION_COLS,
                                                 OPTION_TILE,
                                                 OPTION_BLOCK_ROWS,
                                                 OPTION_PITCH,
                                                 OPTION_ELEM,
                                                 OPTION_IN_OFFSET,
                                                 OPTION_OUT_OFFSET,
                                                 OPTION_DEFINE,
                                                 FILE_OPTIONS,
                                                 OPTION_TASK,
                                                 OPTION_CONFIGS,
                                                 OPTION_RANDOM,
                                                 OPTION_SEED,
                                                 OPTION_COUNTERS,
                                                 OPTION_RECORD,
                                                 OPTION_RECORD_ACCESSES,
                                                 OPTION_PATTERNS,
                                                 OPTION_LAUNCH_ONLY,
                                                 OPTION_FORMAT,
                                                 OPTION_OUTPUT,
                                                 OPTION_COLOR,
                                                 OPTION_HELP,
                                                 0};
static const enum option_id compare_options[] = {OPTION_FORMAT, OPTION_OUTPUT, OPTION_HELP, 0};
static const enum option_id tui_options[] = {SIZE_OPTIONS, FILE_OPTIONS, OPTION_COLOR, OPTION_HELP, 0};
static const enum option_id modular_options[] = {OPTION_MODULUS, OPTION_STRIDE, OUTPUT_OPTIONS, 0};

const struct command commands[] = {
    {"ladder", "[RUNG|FILE.cu]", "one row a rung: requests, sectors, wavefronts, shared memory, occupancy",
     ladder_options, 0, 1, command_ladder},
    {"banks", "", "which banks a row and a column of the tile touch, pitch by pitch", banks_options, 0, 0,
     command_banks},
    {"trace", "RUNG|FILE.cu", "every access of a block, lane by lane", trace_options, 1, 1, command_trace},
    {"owners", "RUNG|FILE.cu", "who writes each output cell, and is it the right one", owners_options, 1, 1,
     command_owners},
    {"probe", "'INDEX'", "one access, written as an index expression", probe_options, 1, 1, command_probe},
    {"compare", "FILE.csv", "recorded hardware counters beside the prediction, row by row", compare_options,
     1, 1, command_compare},
    {"tui", "[RUNG|FILE.cu]", "step through warps in the terminal (also: lanescope alone)", tui_options, 0, 1,
     command_tui},
    {"modular", "", "the arithmetic behind banks: residues of k * a mod m", modular_options, 0, 0,
     command_modular},
    {"confirm", "[RUNG|FILE.cu|all]", "the real kernel on a GPU: values, owners, addresses, counters",
     confirm_options, 0, 1, command_confirm},
};

const size_t command_count = sizeof commands / sizeof *commands;

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

void command_print_help(const struct command *command, FILE *out)
{
    (void)fprintf(out, "usage: lanescope %s %s%s[options]\n\n%s\n\n", command->name, command->operands,
                  *command->operands ? " " : "", command->summary);
    options_print_help(command->options, out);
    (void)fputs("\n" EXIT_CODES_HELP, out);
}

void program_print_help(FILE *out)
{
    (void)fputs("lanescope shows what a CUDA kernel asks of memory, without a GPU.\n\n"
                "usage: lanescope COMMAND [options]\n\n",
                out);
    for (size_t i = 0; i < command_count; i++)
        (void)fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    (void)fputs("\nThe options of a command: lanescope COMMAND --help\n" EXIT_CODES_HELP, out);
}
