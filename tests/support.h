/* support.h - what several tests need: the program as a child process, scenarios in one line, random numbers.
 *
 * Include it before cmocka.h's users: it brings cmocka.h and what that needs.
 */
#ifndef LANESCOPE_TESTS_SUPPORT_H
#define LANESCOPE_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../sim/count/tally.h"
#include "../sim/report/rung.h"
#include "../sim/report/scenario.h"

/* A finished run of the program ($LANESCOPE, or ./lanescope). */
struct run {
    int code;  /* exit code, or 128 + signal */
    char *out; /* standard output, NUL-terminated */
    char *err;
};

/* Arguments after the program's name, ended by NULL. */
struct run run_program(const char *first, ...) __attribute__((sentinel));
struct run run_arguments(char *const *arguments);
struct run run_shell(const char *line); /* by sh, which finds the program in $LANESCOPE */
void run_free(struct run *run);

/* Both take the run: it must have ended with this code, and the texts must stand somewhere in what it wrote;
 * or the text is all of its standard output. */
void expect_run(struct run run, int code, const char *out, const char *err);
void expect_output(struct run run, int code, const char *out);

/* A file's text, NUL-terminated, of at most 1 MiB; fails the test where it cannot be read. free() it. */
char *read_file(const char *path);

/* The name of a new file with this text, until the next call; the test removes it. */
const char *write_temporary(const char *text);

/* A scenario that must open; the test fails with the problem's message otherwise. */
void open_scenario(struct scenario *scenario, const struct source *text,
                   const struct scenario_options *options);

/* All blocks of a scenario into a tally. */
void tally_scenario(const struct scenario *scenario, struct tally *tally);

struct source text_source(const char *text); /* named "test.cu" */

/* A small generator with a seed of its own: the same numbers on every machine. */
struct random {
    uint64_t state;
};
uint64_t random_next(struct random *random);
uint32_t random_below(struct random *random, uint32_t limit);

/* Instrumented builds are an order slower: long tests shrink. */
bool is_sanitized(void);

/* Does `got` match `expected`, whose lines `...` stand for any lines? Blanks at a line's end do not count. */
bool text_matches(const char *expected, const char *got);

/* The examples of a document, run in that folder: a fenced block marked `console` holds lines for a shell
 * after
 * `$ `, each with what it prints on both outputs; a line `...` stands for any lines. Fails the test where one
 * prints something else; returns how many there are. */
unsigned run_examples(const char *path, const char *folder);

/* Reads a whole file of tests/data; the test fails if it is not there. Free the result. */
char *read_data(const char *name);

#endif
