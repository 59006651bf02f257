/* command.h - what the program can be asked to do.
 *
 * A command is one row of the table in command.c and one function: it gets the parsed options and a stream to
 * print on, and returns an exit code. On a problem it fills it and returns; main prints it.
 */
#ifndef LANESCOPE_COMMAND_H
#define LANESCOPE_COMMAND_H

#include "../base/text.h"
#include "options.h"
#include "../base/progress.h"

struct command {
    const char *name;
    const char *operands; /* for the usage line */
    const char *summary;
    const char *const *options; /* names; ends with NULL */
    unsigned least_operands, most_operands;
    int (*run)(const struct options *options, FILE *out, struct problem *problem);
};

extern const struct command commands[];
extern const size_t command_count;

const struct command *command_find(const char *name);
void command_print_help(const struct command *command, FILE *out);
void program_print_help(FILE *out);

int command_ladder(const struct options *options, FILE *out, struct problem *problem);
int command_banks(const struct options *options, FILE *out, struct problem *problem);
int command_trace(const struct options *options, FILE *out, struct problem *problem);
int command_owners(const struct options *options, FILE *out, struct problem *problem);
int command_probe(const struct options *options, FILE *out, struct problem *problem);
int command_compare(const struct options *options, FILE *out, struct problem *problem);
int command_tui(const struct options *options, FILE *out, struct problem *problem);
int command_modular(const struct options *options, FILE *out, struct problem *problem);
int command_confirm(const struct options *options, FILE *out, struct problem *problem);

/* operand.c: the kernel's text that an operand names, a rung or a file. The text lives until text_close(). */
bool text_open(struct text *text, const char *operand, struct problem *problem);

/* run.c: the whole launch through a sink, as the part of some work that `progress` is at. */
bool run_launch_part(struct execution *execution, const struct launch *launch, const struct sink *sink,
                     struct progress *progress, struct problem *problem);

/* run.c: the same as work of its own. */
bool run_launch(struct execution *execution, const struct launch *launch, const struct sink *sink,
                const char *what, struct problem *problem);

/* run.c: a problem, on the standard error. */
void report_problem(const struct problem *problem);

/* run.c: what was passed over in a file's text, on the standard error. */
void report_passed_over(const struct scenario *scenario);

/* run.c: what a person must know beside the numbers, on the standard error. Returns true if anything was
 * said. */
bool report_overflow(const struct execution *execution);

#endif
