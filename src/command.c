#include "command.h"

#include <string.h>

#define SIZE_OPTIONS                                                                                         \
    "rows", "cols", "tile", "block-rows", "pitch", "elem", "in-offset", "out-offset", "device", "define"
#define FILE_OPTIONS                                                                                         \
    "include", "kernel", "template", "block", "grid", "arg", "offset", "shared", "budget", "time-limit",     \
        "in", "out"
#define RUN_OPTIONS    FILE_OPTIONS, "data", "seed"
#define TASK_OPTIONS   "task", "perm", "shape"
#define OUTPUT_OPTIONS "format", "output", "color", "help"

static const char *const ladder_options[] = {SIZE_OPTIONS, "via",  RUN_OPTIONS,    "enumerate", "registers",
                                             "metrics",    "jobs", OUTPUT_OPTIONS, NULL};
static const char *const sweep_options[] = {"sweep",     SIZE_OPTIONS,   "via",  RUN_OPTIONS,
                                            "registers", "sort",         "best", "heatmap",
                                            "jobs",      OUTPUT_OPTIONS, NULL};
static const char *const advise_options[] = {SIZE_OPTIONS, RUN_OPTIONS,    "registers",
                                             "jobs",       OUTPUT_OPTIONS, NULL};
static const char *const list_options[] = {"define", "kernel", "template", "via", OUTPUT_OPTIONS, NULL};
static const char *const banks_options[] = {"pitch",  "tile",  "block-rows",   "elem",
                                            "device", "lanes", OUTPUT_OPTIONS, NULL};
static const char *const trace_options[] = {SIZE_OPTIONS, "via",     RUN_OPTIONS, "at-block",     "at-warp",
                                            "at-site",    "at-step", "limit",     OUTPUT_OPTIONS, NULL};
static const char *const lines_options[] = {SIZE_OPTIONS, "via", RUN_OPTIONS, "jobs", OUTPUT_OPTIONS, NULL};
static const char *const owners_options[] = {SIZE_OPTIONS, "via",  RUN_OPTIONS,    TASK_OPTIONS,
                                             "enumerate",  "jobs", OUTPUT_OPTIONS, NULL};
static const char *const audit_options[] = {SIZE_OPTIONS, "via",   RUN_OPTIONS,    TASK_OPTIONS,
                                            "strict",     "alias", "assert",       "registers",
                                            "enumerate",  "jobs",  OUTPUT_OPTIONS, NULL};
static const char *const report_options[] = {SIZE_OPTIONS, "via",    RUN_OPTIONS, TASK_OPTIONS,
                                             "strict",     "alias",  "at-block",  "registers",
                                             "jobs",       "output", "help",      NULL};
static const char *const heatmap_options[] = {"kind",      "compare",    "output",   SIZE_OPTIONS, "via",
                                              RUN_OPTIONS, TASK_OPTIONS, "at-block", "at-warp",    "at-site",
                                              "at-step",   "registers",  "jobs",     "help",       NULL};
static const char *const zoo_options[] = {OUTPUT_OPTIONS, NULL};
static const char *const cycles_options[] = {"rows", "cols", "code", OUTPUT_OPTIONS, NULL};
static const char *const view_options[] = {"rows", "cols", "elem", "device", OUTPUT_OPTIONS, NULL};
static const char *const probe_options[] = {"space",  "op",        "lane-bytes",   "index-bytes", "base",
                                            "block",  "block-idx", "grid",         "active",      "define",
                                            "device", "lanes",     OUTPUT_OPTIONS, NULL};
static const char *const confirm_options[] = {"rows",
                                              "cols",
                                              "tile",
                                              "block-rows",
                                              "pitch",
                                              "elem",
                                              "in-offset",
                                              "out-offset",
                                              "define",
                                              FILE_OPTIONS,
                                              "task",
                                              "via",
                                              "data",
                                              "configs",
                                              "random",
                                              "seed",
                                              "counters",
                                              "record",
                                              "record-accesses",
                                              "patterns",
                                              "addresses",
                                              "dry-run",
                                              "launch-only",
                                              "jobs",
                                              "format",
                                              "output",
                                              "color",
                                              "help",
                                              NULL};
static const char *const bench_options[] = {"rows",  "cols",      "tile",       "block-rows",   "pitch",
                                            "elem",  "in-offset", "out-offset", "define",       FILE_OPTIONS,
                                            "task",  "repeats",   "warm-ups",   "warm",         "pipeline",
                                            "tune",  "sweep",     "no-model",   "counters",     "launch-only",
                                            "sizes", "record",    "replay",     OUTPUT_OPTIONS, NULL};
static const char *const compare_options[] = {"jobs", "format", "output", "help", NULL};
static const char *const tui_options[] = {SIZE_OPTIONS, "via", RUN_OPTIONS, "color", "help", NULL};
static const char *const modular_options[] = {"modulus", "stride", OUTPUT_OPTIONS, NULL};

static const char *const quiz_options[] = {"seed",    "count", "topic",        "sheet",
                                           "answers", "json",  OUTPUT_OPTIONS, NULL};

const struct command commands[] = {
    {"ladder", "[RUNG|FILE.cu]", "one row a rung: requests, sectors, wavefronts, shared memory, occupancy",
     ladder_options, 0, 1, command_ladder},
    {"sweep", "[RUNG|FILE.cu]", "one row a configuration: pitch x tile x ... or any macros", sweep_options, 0,
     1, command_sweep},
    {"advise", "[RUNG|FILE.cu]", "pads, swizzles and other changes that bring accesses to their ideal",
     advise_options, 0, 1, command_advise},
    {"banks", "", "which banks a row and a column of the tile touch, pitch by pitch", banks_options, 0, 0,
     command_banks},
    {"list", "FILE.cu", "the kernels of a file, their parameters, the launches found, what is missing",
     list_options, 1, 1, command_list},
    {"trace", "RUNG|FILE.cu", "every access of a block, lane by lane", trace_options, 1, 1, command_trace},
    {"audit", "RUNG|FILE.cu", "what is wrong, at which line, by which lane, and why", audit_options, 1, 1,
     command_audit},
    {"lines", "RUNG|FILE.cu", "what each line of the kernel asks of memory in the whole launch",
     lines_options, 1, 1, command_lines},
    {"heatmap", "[RUNG|FILE.cu] [RUNG|FILE.cu]", "pictures as SVG, PNG, PDF or text, for slides and print",
     heatmap_options, 0, 2, command_heatmap},
    {"report", "RUNG|FILE.cu", "one page of HTML: source with costs, pictures, audit, assumptions",
     report_options, 1, 1, command_report},
    {"zoo", "", "small kernels with one bug each, and their corrected twins: lanescope audit zoo:NAME",
     zoo_options, 0, 0, command_zoo},
    {"owners", "RUNG|FILE.cu", "who writes each output cell, and is it the right one", owners_options, 1, 1,
     command_owners},
    {"cycles", "", "the permutation cycles of an in-place transposition, and a kernel that follows them",
     cycles_options, 0, 0, command_cycles},
    {"view", "", "a transposition that moves no byte, and what it costs whoever walks its rows", view_options,
     0, 0, command_view},
    {"probe", "'INDEX'", "one access, written as an index expression", probe_options, 1, 1, command_probe},
    {"compare", "FILE.csv", "recorded hardware counters beside the prediction, row by row", compare_options,
     1, 1, command_compare},
    {"tui", "[RUNG|FILE.cu]", "step through warps in the terminal (also: lanescope alone)", tui_options, 0, 1,
     command_tui},
    {"modular", "", "the arithmetic behind banks: residues of k * a mod m", modular_options, 0, 0,
     command_modular},
    {"quiz", "", "predict, then see why: questions from the simulator, on the terminal or on paper",
     quiz_options, 0, 0, command_quiz},
    {"confirm", "[RUNG|FILE.cu|all]", "the real kernel on a GPU: values, owners, addresses, counters",
     confirm_options, 0, 1, command_confirm},
    {"bench", "[RUNG|FILE.cu|best|all]", "how long it takes on a GPU, beside copies of the same size",
     bench_options, 0, 1, command_bench},
};

const size_t command_count = sizeof commands / sizeof *commands;

const struct program_option program_options[] = {
    {"help", NULL, "this help; of a command: lanescope COMMAND --help"},
    {"version", NULL, "which lanescope it is"},
    {"man", NULL, "the manual page: lanescope --man | man -l -"},
    {"completion", "bash|zsh|fish", "what a shell needs to complete commands and options"},
};

const size_t program_option_count = sizeof program_options / sizeof *program_options;

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
    (void)fputs("\n", out);
    for (size_t i = 0; i < program_option_count; i++) {
        const struct program_option *o = &program_options[i];
        char left[40];
        (void)snprintf(left, sizeof left, "--%s%s%s", o->name, o->argument ? " " : "",
                       o->argument ? o->argument : "");
        (void)fprintf(out, "  %-26s %s\n", left, o->help);
    }
    (void)fputs("\n" EXIT_CODES_HELP, out);
}
