/* sheet.c - a quiz on paper, and for programs. */
#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../sim/report/device_columns.h"
#include "quiz.h"

enum { COLUMNS = 100, COLUMNS_LEAST = 40 };

/* Of a line: a terminal may be narrower than paper. */
static size_t columns_of(FILE *out)
{
    struct winsize size;
    if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col >= COLUMNS)
        return COLUMNS;
    return size.ws_col < COLUMNS_LEAST ? COLUMNS_LEAST : size.ws_col;
}

/* How far the word at `at` goes: to a blank, or past the ` that closes what it opens. */
static size_t word_length(const char *at)
{
    size_t length = 0;
    bool code = false;
    for (; at[length] && (code || at[length] != ' '); length++)
        code = code != (at[length] == '`');
    return length;
}

void print_wrapped(const char *text, unsigned first, unsigned indent, FILE *out)
{
    size_t column = first, columns = columns_of(out);
    for (const char *at = text; *at;) {
        size_t length = word_length(at);
        if (at != text && column + 1 + length > columns) {
            (void)fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (at != text) {
            (void)fputc(' ', out);
            column++;
        }
        (void)fwrite(at, 1, length, out);
        column += length;
        at += length;
        at += strspn(at, " ");
    }
    (void)fputc('\n', out);
}

void quiz_print_code(const struct question *question, FILE *out)
{
    const struct source *code = &question->code;
    for (size_t i = 0; i < code->size; i++) {
        if (code->bytes[i] != '\n' && (i == 0 || code->bytes[i - 1] == '\n'))
            (void)fputs("    ", out);
        (void)fputc(code->bytes[i], out);
    }
    if (code->size && code->bytes[code->size - 1] != '\n')
        (void)fputc('\n', out);
}

static void print_question(const struct question *q, FILE *out)
{
    char right[160];
    print_wrapped(q->text, 0, 0, out);
    (void)fputc('\n', out);
    if (q->code.size) {
        quiz_print_code(q, out);
        (void)fputc('\n', out);
    }
    question_right_form(q, right);
    (void)fprintf(
        out, "Answer (%s): ________________\n\nWhy: ____________________________________________\n\n", right);
}

static void print_answer(const struct question *q, FILE *out)
{
    for (unsigned i = 0; i < q->step_count; i++) {
        int used = fprintf(out, "%u. ", i + 1);
        print_wrapped(q->steps[i], (unsigned)used, (unsigned)used, out);
    }
    (void)fprintf(out, "\nSee it: `%s`\n\n", q->command);
}

void quiz_print_sheet(const struct quiz *quiz, bool answers, FILE *out)
{
    (void)fprintf(out, "# lanescope quiz: %s\n\nSeed %" PRIu64 ", %u question%s, topics: %s.\n",
                  answers ? "answers" : "worksheet", quiz->seed, quiz->count, quiz->count == 1 ? "" : "s",
                  quiz->topics ? quiz->topics : "all");
    if (!answers)
        (void)fputs(
            "Predict: no computer, no running anything. The first warp of a block is warp 0, its first "
            "lane lane 0.\n\nName: ________________________  Date: ______________\n",
            out);
    (void)fputc('\n', out);
    for (unsigned i = 0; i < quiz->count; i++) {
        const struct question *q = &quiz->questions[i];
        (void)fprintf(out, "## %u. %s%s%s\n\n", i + 1, q->topic, answers ? ": " : "",
                      answers ? q->answer : "");
        if (answers)
            print_answer(q, out);
        else
            print_question(q, out);
    }
}

static const struct column columns[] = {
    {"seed", NULL}, {"number", NULL}, {"topic", NULL},       {"question", NULL}, {"code", NULL},
    {"form", NULL}, {"answer", NULL}, {"explanation", NULL}, {"command", NULL},  DEVICE_COLUMNS,
};

static void add_rights(struct stream *stream, const struct question *q)
{
    char all[QUESTION_STEPS * (QUESTION_STEP_SIZE + 1)];
    struct words w = words_in(all, sizeof all);
    for (unsigned i = 0; i < q->step_count; i++)
        words_say(&w, "%s%s", i ? "\n" : "", q->steps[i]);
    stream_text(stream, q->answer);
    stream_text(stream, all);
    stream_text(stream, q->command);
}

void quiz_print_rows(const struct quiz *quiz, enum format format, bool answers, FILE *out)
{
    struct stream stream;
    stream_begin(&stream, format, columns, sizeof columns / sizeof *columns, out);
    for (unsigned i = 0; i < quiz->count; i++) {
        const struct question *q = &quiz->questions[i];
        char right[160], code[4096];
        (void)snprintf(code, sizeof code, "%.*s", (int)q->code.size, q->code.bytes ? q->code.bytes : "");
        question_right_form(q, right);
        stream_count(&stream, quiz->seed);
        stream_count(&stream, i + 1);
        stream_text(&stream, q->topic);
        stream_text(&stream, q->text);
        if (q->code.size)
            stream_text(&stream, code);
        else
            stream_absent(&stream);
        stream_text(&stream, right);
        if (answers)
            add_rights(&stream, q);
        for (unsigned k = 0; !answers && k < 3; k++)
            stream_absent(&stream);
        stream_device(&stream, quiz->device);
    }
    stream_finish(&stream);
}
