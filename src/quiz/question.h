/* question.h - one question of the quiz: what is asked, what is right, and why.
 *
 * A question is made from random choices alone (cuda/random.h), so that a seed stands for the same questions
 * on every machine; its numbers are the simulator's, taken when it is made. It owns nothing: `code` points
 * into the ladder's embedded text.
 */
#ifndef LANESCOPE_QUIZ_QUESTION_H
#define LANESCOPE_QUIZ_QUESTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../base/problem.h"
#include "../../sim/session/words.h"

struct random; /* cuda/random.h */

enum answer_kind {
    ANSWER_NUMBER, /* a whole number from `least` to `most` */
    ANSWER_PITCH,  /* one of `offered`, or none */
    ANSWER_THREAD, /* block x, block y, warp, lane */
    ANSWER_AXIS    /* x or y */
};

enum {
    QUESTION_TEXT_SIZE = 600,
    QUESTION_STEP_SIZE = 400,
    QUESTION_STEPS = 7,
    QUESTION_ANSWER_SIZE = 60,
    QUESTION_COMMAND_SIZE = 240,
    QUESTION_OFFERS = 4
};

struct question {
    const char *topic;
    enum answer_kind kind;
    uint64_t least, most;
    uint32_t offered[QUESTION_OFFERS];
    struct source code; /* size 0: the question needs none */
    char text[QUESTION_TEXT_SIZE];
    char answer[QUESTION_ANSWER_SIZE]; /* as question_read() gives it back: "16", "none", "1 0 3 7", "x" */
    char steps[QUESTION_STEPS][QUESTION_STEP_SIZE];
    unsigned step_count;
    char command[QUESTION_COMMAND_SIZE]; /* shows the same */
};

/* Makes one. False: these random choices gave none worth asking (too easy, or with two right answers), or the
 * problem is set. */
typedef bool question_maker(struct question *question, struct random *random, struct problem *problem);

struct topic {
    const char *name, *about; /* "banks", "how many banks a warp touches" */
    question_maker *make;
};
extern const struct topic topics[];
extern const unsigned topic_count;

question_maker make_banks, make_wavefronts, make_pitch; /* topic_shared.c */
question_maker make_sectors, make_lines;                /* topic_global.c */
question_maker make_owner, make_lane;                   /* topic_kernel.c */
question_maker make_period;                             /* topic_period.c */

uint32_t between(struct random *random, uint32_t least, uint32_t most); /* both included */

/* The next step of the explanation, or the question's text; both to be filled with words_say(). */
struct words question_step(struct question *question);
struct words question_text(struct question *question);
struct words question_command(struct question *question);

/* "0-4 8 12 ... 124": ascending numbers, at most some of them. */
void say_numbers(const int64_t *numbers, unsigned count, struct words *words);

/* "a whole number from 1 to 32": what an answer has to look like. */
void question_right_form(const struct question *question, char out[160]);

/* What somebody typed, in the form of `answer`. False: it is no answer to this question, and `complaint` says
 * why and what would be one. */
bool question_read(const struct question *question, const char *typed, char out[QUESTION_ANSWER_SIZE],
                   char complaint[300]);

#endif
