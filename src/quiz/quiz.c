#include "quiz.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "../../cuda/random.h"

/* Choices that gave no question worth asking; each topic finds one in a few dozen (tests/test_quiz.c). */
enum { ATTEMPTS = 20000 };

static bool is_asked(const struct quiz *quiz, const char *text)
{
    for (unsigned i = 0; i < quiz->count; i++)
        if (strcmp(quiz->questions[i].text, text) == 0)
            return true;
    return false;
}

static bool make_one(struct quiz *quiz, const struct topic *topic, struct random *random,
                     struct problem *problem)
{
    struct question *q = &quiz->questions[quiz->count];
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        *q = (struct question){.topic = topic->name};
        if (topic->make(q, random, problem) && !is_asked(quiz, q->text))
            return true;
        if (problem->set)
            return false;
    }
    return problem_say(problem, "no further question of the topic %s was found: ask for fewer", topic->name);
}

/* The topics of the list, as bits. */
static bool read_topics(const char *list, unsigned *chosen, struct problem *problem)
{
    *chosen = list ? 0 : (1u << topic_count) - 1;
    while (list && *list) {
        size_t length = strcspn(list, ",");
        unsigned i = 0;
        while (i < topic_count &&
               !(strlen(topics[i].name) == length && strncmp(topics[i].name, list, length) == 0))
            i++;
        if (i == topic_count)
            break;
        *chosen |= 1u << i;
        list += length;
        if (!*list)
            return true;
        list++;
    }
    if (!list)
        return true;
    char all[200];
    struct words w = words_in(all, sizeof all);
    for (unsigned i = 0; i < topic_count; i++)
        words_say(&w, "%s%s", i ? ", " : "", topics[i].name);
    return problem_say(problem, "--topic takes one or more of %s, with commas between them, not '%.60s'", all,
                       list);
}

bool quiz_make(struct quiz *quiz, uint64_t seed, unsigned count, const char *topic_list,
               struct problem *problem)
{
    unsigned chosen;
    struct random random = random_seeded(seed);
    *quiz = (struct quiz){.seed = seed, .topics = topic_list};
    if (!read_topics(topic_list, &chosen, problem))
        return false;
    quiz->questions = memory_take(count, sizeof *quiz->questions);
    for (unsigned at = 0; quiz->count < count; at = (at + 1) % topic_count) {
        if (!(chosen >> at & 1))
            continue;
        if (!make_one(quiz, &topics[at], &random, problem))
            return false;
        quiz->count++;
    }
    return true;
}

void quiz_free(struct quiz *quiz)
{
    free(quiz->questions);
    *quiz = (struct quiz){0};
}
