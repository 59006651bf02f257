/* quiz.h - a quiz: so many questions of some topics, from a seed, no two alike; and what is made of them.
 *
 * The same seed, count and topics give the same questions on every machine. Topics take turns, so that a quiz
 * of eight has all. Questions are kept whole: about 5 KiB each, at most QUIZ_LIMIT.
 */
#ifndef LANESCOPE_QUIZ_QUIZ_H
#define LANESCOPE_QUIZ_QUIZ_H

#include "../options.h"
#include "question.h"

enum { QUIZ_LIMIT = 200 };

struct quiz {
    struct question *questions;
    unsigned count;
    uint64_t seed;
    const char *topics; /* as asked for; NULL: all */
    const struct device *device;
};

/* `topic_list`: "banks,owner", NULL for all. False after filling the problem; to be freed also then. */
bool quiz_make(struct quiz *quiz, uint64_t seed, unsigned count, const char *topic_list,
               struct problem *problem);
void quiz_free(struct quiz *quiz);

/* sheet.c: a worksheet for paper, or its key, as Markdown; or all as csv or json (a worksheet: without what
 * is right). */
void quiz_print_sheet(const struct quiz *quiz, bool answers, FILE *out);
void quiz_print_rows(const struct quiz *quiz, enum format format, bool answers, FILE *out);
void quiz_print_code(const struct question *question, FILE *out);

/* Text in lines of at most 100 columns, or those of the terminal, the first as it goes on, the others
 * indented; `code` stays together.
 */
void print_wrapped(const char *text, unsigned first, unsigned indent, FILE *out);

/* ask.c: question by question, answers from `in` until it ends. False: reading failed, the problem is set. */
bool quiz_ask(const struct quiz *quiz, FILE *in, FILE *out, struct problem *problem);

#endif
