/* option_row.h - what the table of options is made of.
 *
 * A row says all there is to say of an option: how it is written, what its text means, which values are
 * right, which one holds where it is not given, and the place in struct options that it sets. A new option is
 * one row of option_table.c and its name in the lists of the commands that take it (command.c).
 */
#ifndef LANESCOPE_OPTION_ROW_H
#define LANESCOPE_OPTION_ROW_H

#include <stddef.h>

#include "options.h"

struct option_row;

/* Sets the row's place to what the text means (NULL for a row without an argument). False after filling the
 * problem. */
typedef bool option_reader(const struct option_row *row, const char *text, struct options *options,
                           struct problem *problem);

struct option_row {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none; commands may give one letter to different options */
    const char *argument; /* NULL: takes none */
    const char *help;
    option_reader *read;
    size_t place, width;  /* of the target in struct options, in bytes */
    uint64_t least, most; /* of a number; read_choice: most is how many values there are */
    const int *values;    /* read_choice: what each word of the argument stands for */
    size_t count;         /* read_strings: the place of their number, an unsigned */
    const char *initial;  /* what holds where it is not given, as text; NULL: all bits 0 */
};

#define OPTION_LIMIT 96u /* there are at most so many */
extern const struct option_row option_rows[];
extern const size_t option_count;

const struct option_row *option_row_named(const char *name); /* without the dashes; NULL: there is none */

/* option_values.c. The width of a number is 4 or 8 bytes. */
option_reader read_number;      /* least to most */
option_reader read_power;       /* 1, 2, 4, 8 or 16 */
option_reader read_signed;      /* -most to most */
option_reader read_shape;       /* struct shape, each number at least `least` */
option_reader read_range;       /* struct range_filter */
option_reader read_choice;      /* one of the argument's words, which | separates */
option_reader read_flag;        /* bool */
option_reader read_string;      /* const char *, as it stands */
option_reader read_input_path;  /* as read_string: a file that the command reads */
option_reader read_output_path; /* or writes */
option_reader read_strings;     /* const char *[SCENARIO_TEXT_LIMIT], one more */
option_reader read_pitches;     /* the pitches, and the scenario's */
option_reader read_task;        /* the scenario's: a word, batch:N or map:FORMULA */
option_reader read_axes;        /* struct axes: numbers from least to most */
option_reader read_device;      /* the scenario's */
option_reader read_color;       /* options.color; auto leaves it alone */

#endif
