#include "table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "utf8.h"

enum cell_kind { CELL_ABSENT, CELL_TEXT, CELL_NUMBER };
enum cell_judgement { CELL_PLAIN, CELL_GOOD, CELL_BAD };

struct cell {
    enum cell_kind kind;
    enum cell_judgement judgement;
    double number; /* CELL_NUMBER: as it was given, not rounded */
    char *text;    /* as csv and json print it */
    char *grouped; /* as text prints it */
};

struct table {
    const struct column *columns;
    unsigned column_count;
    struct cell *cells;
    size_t count, capacity;
};

struct table *table_new(const struct column *columns, unsigned count)
{
    struct table *table = memory_take(1, sizeof *table);
    table->columns = columns;
    table->column_count = count;
    return table;
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->cells[i].text);
        free(table->cells[i].grouped);
    }
    free(table->cells);
    free(table);
}

static char *copy(const char *text)
{
    char *result = memory_take(strlen(text) + 1, 1);
    memcpy(result, text, strlen(text) + 1);
    return result;
}

static void add(struct table *table, enum cell_kind kind, const char *text, const char *grouped)
{
    if (table->count == table->capacity) {
        table->capacity = table->capacity ? 2 * table->capacity : 64;
        table->cells = memory_resize(table->cells, table->capacity, sizeof *table->cells);
    }
    table->cells[table->count++] = (struct cell){.kind = kind, .text = copy(text), .grouped = copy(grouped)};
}

void table_text(struct table *table, const char *text)
{
    add(table, CELL_TEXT, text, text);
}

void table_absent(struct table *table)
{
    add(table, CELL_ABSENT, "", "-");
}

bool table_number(const struct table *table, const char *column, double *value)
{
    for (unsigned i = 0; i < table->column_count && i < table->count; i++)
        if (strcmp(table->columns[i].name, column) == 0 && table->cells[i].kind == CELL_NUMBER) {
            *value = table->cells[i].number;
            return true;
        }
    return false;
}

void table_judge(struct table *table, bool good)
{
    table->cells[table->count - 1].judgement = good ? CELL_GOOD : CELL_BAD;
}

/* 1234567 as 1,234,567; a sign is kept. */
static void group(const char *digits, char *out)
{
    if (*digits == '-')
        *out++ = *digits++;
    size_t length = strlen(digits);
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
}

void table_integer(struct table *table, int64_t value)
{
    char text[32], grouped[48];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    group(text, grouped);
    add(table, CELL_NUMBER, text, grouped);
    table->cells[table->count - 1].number = (double)value;
}

void table_count(struct table *table, uint64_t value)
{
    char text[32], grouped[48];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    group(text, grouped);
    add(table, CELL_NUMBER, text, grouped);
    table->cells[table->count - 1].number = (double)value;
}

void table_real(struct table *table, double value, int decimals)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%.*f", decimals, value);
    add(table, CELL_NUMBER, text, text);
    table->cells[table->count - 1].number = value;
}

/* Bytes that are no UTF-8 become U+FFFD: json knows no others. */
static void write_json_string(const char *text, FILE *out)
{
    (void)fputc('"', out);
    while (*text) {
        unsigned length = utf8_length(text);
        if (*text == '"' || *text == '\\')
            (void)fprintf(out, "\\%c", *text);
        else if (length == 1 && (unsigned char)*text < 32)
            (void)fprintf(out, "\\u%04x", (unsigned)*text);
        else if (length)
            (void)fwrite(text, 1, length, out);
        else
            (void)fputs("\\ufffd", out);
        text += length ? length : 1;
    }
    (void)fputc('"', out);
}

static void write_csv_field(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\n\r")) {
        (void)fputs(text, out);
        return;
    }
    (void)fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            (void)fputc('"', out);
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

void stream_begin(struct stream *stream, enum format format, const struct column *columns, unsigned count,
                  FILE *out)
{
    *stream = (struct stream){.out = out, .format = format, .columns = columns, .count = count};
    if (format == FORMAT_JSON) {
        (void)fputs("[", out);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        (void)fprintf(out, "%s%s", i ? "," : "", columns[i].name);
    (void)fputc('\n', out);
}

static void stream_cell(struct stream *stream, enum cell_kind kind, const char *text)
{
    if (stream->format == FORMAT_CSV) {
        if (stream->at)
            (void)fputc(',', stream->out);
        write_csv_field(text, stream->out);
    } else {
        if (stream->at == 0)
            (void)fprintf(stream->out, "%s\n  {", stream->rows ? "," : "");
        (void)fprintf(stream->out, "%s\"%s\": ", stream->at ? ", " : "", stream->columns[stream->at].name);
        if (kind == CELL_TEXT)
            write_json_string(text, stream->out);
        else
            (void)fputs(kind == CELL_ABSENT ? "null" : text, stream->out);
    }
    if (++stream->at == stream->count) {
        (void)fputs(stream->format == FORMAT_CSV ? "\n" : "}", stream->out);
        stream->at = 0;
        stream->rows++;
    }
}

void stream_text(struct stream *stream, const char *text)
{
    stream_cell(stream, CELL_TEXT, text);
}

void stream_integer(struct stream *stream, int64_t value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    stream_cell(stream, CELL_NUMBER, text);
}

void stream_count(struct stream *stream, uint64_t value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    stream_cell(stream, CELL_NUMBER, text);
}

void stream_absent(struct stream *stream)
{
    stream_cell(stream, CELL_ABSENT, "");
}

void stream_finish(struct stream *stream)
{
    if (stream->format == FORMAT_JSON)
        (void)fputs(stream->rows ? "\n]\n" : "]\n", stream->out);
}

static void write_text(const struct table *table, bool color, FILE *out)
{
    unsigned n = table->column_count;
    size_t rows = table->count / n;
    size_t *widths = memory_take(n, sizeof *widths);
    for (unsigned c = 0; c < n; c++) {
        widths[c] = table->columns[c].title ? strlen(table->columns[c].title) : 0;
        for (size_t r = 0; r < rows; r++)
            if (strlen(table->cells[r * n + c].grouped) > widths[c])
                widths[c] = strlen(table->cells[r * n + c].grouped);
    }
    unsigned last = n;
    while (last > 1 && !table->columns[last - 1].title)
        last--;
    if (rows && table->cells[last - 1].kind == CELL_TEXT)
        widths[last - 1] = 0; /* no blanks at the lines' ends */
    for (size_t r = 0; r <= rows; r++) {
        bool first = true;
        for (unsigned c = 0; c < n; c++) {
            if (!table->columns[c].title)
                continue;
            const struct cell *cell = r ? &table->cells[(r - 1) * n + c] : NULL;
            const char *text = cell ? cell->grouped : table->columns[c].title;
            bool left = rows && table->cells[c].kind == CELL_TEXT;
            static const char *const paint[] = {"", "\033[32m", "\033[31m"};
            const char *before = !color ? "" : cell ? paint[cell->judgement] : "\033[1m";
            (void)fprintf(out, "%s%s%*s%s", first ? "" : "  ", before,
                          left ? -(int)widths[c] : (int)widths[c], text, *before ? "\033[0m" : "");
            first = false;
        }
        (void)fputc('\n', out);
    }
    free(widths);
}

void table_write(const struct table *table, enum format format, bool color, FILE *out)
{
    struct stream stream;
    if (format == FORMAT_TEXT) {
        write_text(table, color, out);
        return;
    }
    stream_begin(&stream, format, table->columns, table->column_count, out);
    for (size_t i = 0; i < table->count; i++)
        stream_cell(&stream, table->cells[i].kind, table->cells[i].text);
    stream_finish(&stream);
}
