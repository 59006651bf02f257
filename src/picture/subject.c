#include "subject.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/session/repitch.h"
#include "../../sim/session/words.h"
#include "../operand.h"

static bool enter(struct subject *subject, const struct options *options, struct problem *problem)
{
    struct repitch found;
    const struct shape *at = &options->at_block;
    const uint32_t *grid = subject->session->scenario.launch.grid;
    if (repitch_find(subject->session, NULL, &found))
        subject->pitch = found.pitch;
    if (!at->count)
        return true;
    uint32_t block[3] = {at->size[0], at->count > 1 ? at->size[1] : 0, at->count > 2 ? at->size[2] : 0};
    if (block[0] >= grid[0] || block[1] >= grid[1] || block[2] >= grid[2])
        return problem_say(problem, "block %u,%u,%u is not in the grid of %u x %u x %u", block[0], block[1],
                           block[2], grid[0], grid[1], grid[2]);
    return session_enter(subject->session, block, problem);
}

bool subject_open(struct subject *subject, const char *operand, const struct options *options,
                  struct problem *problem)
{
    struct scenario_options all = options->scenario;
    *subject = (struct subject){.name = operand};
    all.any_grid = true;
    if (!operand_open(&subject->text, operand, problem))
        return false;
    subject->session = session_open(operand, &subject->text.source, &all, problem);
    return subject->session && enter(subject, options, problem);
}

bool subject_open_pitch(struct subject *subject, const struct subject *of, uint32_t pitch,
                        const struct options *options, struct problem *problem)
{
    struct repitch found;
    *subject = (struct subject){.name = of->name};
    if (!repitch_find(of->session, NULL, &found))
        return problem_say(problem, "%s has no tile in shared memory whose pitch could be another", of->name);
    subject->session = repitch_open(of->session, &found, pitch, &subject->own_text, problem);
    return subject->session && enter(subject, options, problem);
}

void subject_close(struct subject *subject)
{
    session_free(subject->session);
    if (subject->counted)
        totals_free(&subject->totals);
    free(subject->own_text);
    text_close(&subject->text);
    *subject = (struct subject){0};
}

bool subject_count(struct subject *subject, const struct options *options, struct problem *problem)
{
    struct progress progress;
    progress_begin(&progress, "counting");
    const struct totals_how how = {
        .workers = options_workers(options), .registers = options->registers, .progress = &progress};
    subject->counted = true;
    bool ok = totals_of(&subject->totals, &subject->session->scenario, &how, problem);
    progress_clear(&progress);
    return ok;
}

static void say_shape(struct words *words, const char *what, const uint32_t size[3])
{
    words_say(words, ", %s %u x %u", what, size[0], size[1]);
    if (size[2] > 1)
        words_say(words, " x %u", size[2]);
}

void subject_configuration(const struct subject *subject, const struct subject *other, char out[SUBJECT_LINE])
{
    const struct scenario *s = &subject->session->scenario;
    struct words words = words_in(out, SUBJECT_LINE);
    words_say(&words, "%u x %u matrix of %u-byte elements", s->rows, s->cols, s->elem_bytes);
    if (s->options.in_offset || s->options.out_offset)
        words_say(&words, ", offsets %" PRIu64 " and %" PRIu64, s->options.in_offset, s->options.out_offset);
    if (s->tile)
        words_say(&words, ", tile %" PRIu64, s->tile);
    if (subject->pitch)
        words_say(&words, ", pitch %" PRIu64, subject->pitch);
    if (other)
        words_say(&words, " and %" PRIu64, other->pitch);
    for (unsigned i = 0; i < s->options.definition_count; i++)
        words_say(&words, ", %s", s->options.definitions[i]);
    say_shape(&words, "block", s->launch.block);
    say_shape(&words, "grid", s->launch.grid);
    words_say(&words, "; %s: %s", s->device->name, device_rules(s->device));
}

void subject_short(const struct subject *subject, char out[SUBJECT_LINE])
{
    struct words words = words_in(out, SUBJECT_LINE);
    const char *kernel = subject->session->scenario.options.kernel;
    const char *slash = strrchr(subject->name, '/');
    words_say(&words, "%s%s%s", slash ? slash + 1 : subject->name, kernel ? ":" : "", kernel ? kernel : "");
    if (subject->pitch)
        words_say(&words, ", pitch %" PRIu64, subject->pitch);
}
