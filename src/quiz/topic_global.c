/* topic_global.c - sectors and lines. */
#include <inttypes.h>

#include "../../cuda/random.h"
#include "access_case.h"

/* Rows that begin anywhere, strides, columns, square blocks, vectors, backwards. */
static void choose_access(struct access_case *a, struct random *random)
{
    static const unsigned widths[] = {4, 4, 4, 8, 16, 2, 1};
    uint32_t form = between(random, 0, 5), first = between(random, 2, 24), second = between(random, 1, 40);
    *a = (struct access_case){.space = SPACE_GLOBAL, .block = {32, 8}};
    a->op = between(random, 0, 1) ? ACCESS_STORE : ACCESS_LOAD;
    a->lane_bytes = widths[between(random, 0, sizeof widths / sizeof *widths - 1)];
    a->base = between(random, 0, 127) / a->lane_bytes * a->lane_bytes;
    if (between(random, 0, 2) == 0)
        a->base = 0;
    struct words w = words_in(a->index, sizeof a->index);
    if (form == 0)
        words_say(&w, "threadIdx.x + %" PRIu32, second);
    else if (form == 1)
        words_say(&w, "threadIdx.x * %" PRIu32 " + %" PRIu32, first, second);
    else if (form == 2)
        words_say(&w, "threadIdx.x * %" PRIu32 " + threadIdx.y", 30 + second * first);
    else if (form == 3)
        words_say(&w, "threadIdx.x / %u * %" PRIu32, 2u << first % 4, second);
    else if (form == 4)
        words_say(&w, "%" PRIu32 " - threadIdx.x", 31 + second);
    else
        words_say(&w,
                  first % 2 ? "threadIdx.x * %" PRIu32 " + threadIdx.y"
                            : "threadIdx.y * %" PRIu32 " + threadIdx.x",
                  16 + second);
    if (form == 5)
        a->block[0] = a->block[1] = 16;
}

static void explain_lanes(struct question *q, const struct access_case *a, const struct warp_access *access,
                          const char *name, unsigned bytes)
{
    struct words w = question_step(q);
    words_say(&w, "Bytes counted from a multiple of 128; g[0] is at byte %" PRIu32 ". %s = byte / %u. ",
              a->base, name, bytes);
    access_case_say_lanes(access, name, bytes, 0, &w);
    words_say(&w, ". Each lane takes %u byte%s.", a->lane_bytes, a->lane_bytes == 1 ? "" : "s");
}

/* What a guess finds, one for each lane or as few as can be, is asked for, but not too often. */
static bool is_wanted(unsigned answer, unsigned least, struct random *random)
{
    return (answer != 32 && answer != least) || random_below(random, 3) == 0;
}

static bool ask(struct question *q, const struct access_case *a, const char *what, unsigned answer,
                unsigned most)
{
    struct words text = question_text(q), command = question_command(q);
    access_case_say(a, &text);
    words_say(&text, " %s", what);
    access_case_command(a, &command);
    q->kind = ANSWER_NUMBER;
    q->least = 1;
    q->most = most;
    (void)snprintf(q->answer, sizeof q->answer, "%u", answer);
    return true;
}

bool make_sectors(struct question *q, struct random *random, struct problem *problem)
{
    struct access_case a;
    struct warp_access access;
    struct sector sectors[SECTOR_LIMIT];
    int64_t numbers[SECTOR_LIMIT];
    choose_access(&a, random);
    if (!access_case_run(&a, &access, problem))
        return false;
    struct sector_cost cost = sector_cost_of(&access.lanes);
    if (!is_wanted(cost.sectors, cost.ideal, random))
        return false;
    unsigned count = sectors_of(&access.lanes, sectors);
    for (unsigned i = 0; i < count; i++)
        numbers[i] = sectors[i].index;
    explain_lanes(q, &a, &access, "sector", SECTOR_BYTES);
    struct words w = question_step(q);
    words_say(&w, "The sectors touched are ");
    say_numbers(numbers, count, &w);
    words_say(&w, ": %u.", cost.sectors);
    w = question_step(q);
    words_say(&w, "The bytes that were asked for would fit %u: ", cost.ideal);
    if (cost.sectors == cost.ideal)
        words_say(&w, "nothing is wasted.");
    else
        words_say(&w, "%u more than must be.", cost.sectors - cost.ideal);
    return ask(q, &a, "How many 32-byte sectors does it ask for?", cost.sectors, 64);
}

bool make_lines(struct question *q, struct random *random, struct problem *problem)
{
    struct access_case a;
    struct warp_access access;
    struct sector sectors[SECTOR_LIMIT];
    int64_t lines[SECTOR_LIMIT];
    unsigned count = 0;
    choose_access(&a, random);
    if (!access_case_run(&a, &access, problem))
        return false;
    struct sector_cost cost = sector_cost_of(&access.lanes);
    if (!is_wanted(cost.lines, (cost.ideal + 3) / 4, random))
        return false;
    unsigned sector_count = sectors_of(&access.lanes, sectors);
    for (unsigned i = 0; i < sector_count; i++) {
        int64_t line = unit_of(sectors[i].index * SECTOR_BYTES, LINE_BYTES);
        if (!count || lines[count - 1] != line)
            lines[count++] = line;
    }
    explain_lanes(q, &a, &access, "line", LINE_BYTES);
    struct words w = question_step(q);
    words_say(&w, "The lines touched are ");
    say_numbers(lines, count, &w);
    words_say(&w, ": %u.", cost.lines);
    w = question_step(q);
    words_say(&w, "Of a line only the sectors that are touched move: here %u of %u.", cost.sectors,
              cost.lines * (LINE_BYTES / SECTOR_BYTES));
    return ask(q, &a, "How many 128-byte lines does it touch?", cost.lines, 64);
}
