/* expected.h - what may stand at a place of the command line, as shells complete it.
 */
#ifndef LANESCOPE_MANUAL_EXPECTED_H
#define LANESCOPE_MANUAL_EXPECTED_H

#include "../command.h"
#include "../option_row.h"

#define EXPECTED_WORD_SIZE 40

/* Words to choose from, files with some ends, or any file; all may be together. Nothing of it: the user's own
 * words. */
struct expected {
    char words[64][EXPECTED_WORD_SIZE];
    unsigned word_count;
    const char *ends[4]; /* ".cu" */
    unsigned end_count;
    bool any_file, folders;
};

struct expected expected_argument(const struct option_row *row); /* after an option that takes one */
struct expected expected_operand(const struct command *command);

/* What a shell is asked for, one function a shell. */
void completion_bash(FILE *out);
void completion_zsh(FILE *out);
void completion_fish(FILE *out);

/* The words with `between` between them. */
void expected_print_words(const struct expected *expected, const char *between, FILE *out);

/* The text with what a pair of single quotes does not protect made harmless: ' by `quote`, and each byte of
 * `special` by a backslash before it. */
void print_quoted(const char *text, const char *special, const char *quote, FILE *out);

#endif
