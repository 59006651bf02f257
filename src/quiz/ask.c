/* ask.c - a quiz at the terminal, or at the end of a pipe. */
#include <inttypes.h>
#include <string.h>

#include "quiz.h"

enum typed { TYPED_LINE, TYPED_TOO_LONG, TYPED_END };

/* One line without its newline; the rest of one that is too long is passed over. A last line without a
 * newline is a line. */
static enum typed read_typed(FILE *in, char *out, size_t size)
{
    size_t used = 0;
    bool any = false, long_line = false;
    for (int c; (c = getc(in)) != EOF;) {
        any = true;
        if (c == '\n')
            break;
        if (used + 1 < size)
            out[used++] = c && c != '\r' ? (char)c : ' ';
        else
            long_line = true;
    }
    out[used] = '\0';
    return !any ? TYPED_END : long_line ? TYPED_TOO_LONG : TYPED_LINE;
}

static void show(const struct quiz *quiz, unsigned at, FILE *out)
{
    const struct question *q = &quiz->questions[at];
    (void)fprintf(out, "\nQuestion %u of %u: %s\n\n", at + 1, quiz->count, q->topic);
    print_wrapped(q->text, 0, 0, out);
    if (q->code.size) {
        (void)fputc('\n', out);
        quiz_print_code(q, out);
        (void)fputc('\n', out);
    }
}

static void reveal(const struct question *q, const char *verdict, FILE *out)
{
    (void)fprintf(out, "%s\n", verdict);
    for (unsigned i = 0; i < q->step_count; i++) {
        int used = fprintf(out, "  %u. ", i + 1);
        print_wrapped(q->steps[i], (unsigned)used, (unsigned)used, out);
    }
    (void)fprintf(out, "  See it: %s\n", q->command);
}

/* Until there is an answer, or no more input. False: the input has ended. */
static bool ask(const struct question *q, FILE *in, FILE *out, bool *right)
{
    char typed[200], answer[QUESTION_ANSWER_SIZE], complaint[300], form[160], verdict[160];
    question_right_form(q, form);
    (void)fprintf(out, "Your prediction (%s): ", form);
    for (;;) {
        (void)fflush(out);
        enum typed got = read_typed(in, typed, sizeof typed);
        if (got == TYPED_END)
            return false;
        if (got == TYPED_TOO_LONG) {
            (void)fprintf(out, "that is too long: type %s: ", form);
            continue;
        }
        if (question_read(q, typed, answer, complaint))
            break;
        (void)fprintf(out, "%s: ", complaint);
    }
    *right = strcmp(answer, q->answer) == 0;
    (void)snprintf(verdict, sizeof verdict, *right ? "Right: %s." : "Not this time: it is %s.", q->answer);
    reveal(q, verdict, out);
    return true;
}

bool quiz_ask(const struct quiz *quiz, FILE *in, FILE *out, struct problem *problem)
{
    unsigned answered = 0, score = 0;
    (void)fprintf(out,
                  "lanescope quiz, seed %" PRIu64
                  ". Type a prediction, then Enter; the answer is explained.\n"
                  "Ctrl-D ends it; --seed N asks other questions, --topic NAME those of one topic.\n",
                  quiz->seed);
    for (unsigned i = 0; i < quiz->count; i++) {
        bool right;
        show(quiz, i, out);
        if (!ask(&quiz->questions[i], in, out, &right)) {
            (void)fputc('\n', out);
            break;
        }
        answered++;
        score += right;
    }
    if (ferror(in))
        return problem_say_world(problem, "reading the answers failed");
    (void)fprintf(out, "\nScore: %u of %u answered right", score, answered);
    if (answered < quiz->count)
        (void)fprintf(out, ", %u of %u questions left", quiz->count - answered, quiz->count);
    (void)fputs(".\n", out);
    return true;
}
