/* cmd_zoo.c - the kernels of the zoo: what each does wrong, and where. */
#include <string.h>

#include "../sim/report/headnote.h"
#include "../sim/report/rung.h"
#include "command.h"

static const struct column columns[] = {
    {"name", "name"}, {"finding", "finding"}, {"line", "line"}, {"purpose", "what is wrong"}, {"twin", NULL},
};

static void add_span(struct table *table, const struct source *span)
{
    char text[300];
    (void)snprintf(text, sizeof text, "%.*s", (int)span->size, span->bytes);
    table_text(table, text);
}

/* The line that is marked; 0: none. */
static int marked_line(const struct source *text)
{
    static const char mark[] = "// <- here";
    for (size_t at = 0; at + sizeof mark - 1 <= text->size; at++)
        if (memcmp(text->bytes + at, mark, sizeof mark - 1) == 0) {
            int line, column;
            source_place(text, at, &line, &column);
            return line;
        }
    return 0;
}

int command_zoo(const struct options *options, FILE *out, struct problem *problem)
{
    (void)problem;
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i + 1 < zoo_count; i += 2) {
        struct headnote note;
        headnote_read(&zoo[i].source, &note);
        table_text(table, zoo[i].name);
        add_span(table, &note.finding);
        table_count(table, (uint64_t)marked_line(&zoo[i].source));
        add_span(table, &note.purpose);
        table_text(table, zoo[i + 1].name);
    }
    table_write(table, options->format, options->color, out);
    table_free(table);
    if (options->format == FORMAT_TEXT)
        (void)fputs("\nlanescope audit zoo:NAME says what is wrong; NAME-fixed is the same put right\n", out);
    return EXIT_FINE;
}
