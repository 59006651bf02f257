/* topic_shared.c - banks, wavefronts and pitches. */
#include <inttypes.h>

#include "../../cuda/random.h"
#include "access_case.h"

/* An index of shared memory: strides, columns, broadcasts, square blocks, exclusive ors. */
static void choose_access(struct access_case *a, struct random *random)
{
    static const unsigned widths[] = {4, 4, 4, 8, 8, 16, 2, 1};
    uint32_t form = between(random, 0, 5), first = between(random, 2, 40), second = between(random, 1, 8);
    *a = (struct access_case){.space = SPACE_SHARED, .block = {32, 8}};
    a->op = between(random, 0, 1) ? ACCESS_STORE : ACCESS_LOAD;
    a->lane_bytes = widths[between(random, 0, sizeof widths / sizeof *widths - 1)];
    struct words w = words_in(a->index, sizeof a->index);
    if (form < 2) {
        words_say(&w, "threadIdx.x * %" PRIu32 " + %" PRIu32, first, second);
    } else if (form == 2) {
        words_say(&w, "threadIdx.x / %u * %" PRIu32, 2u << second % 4, first);
        a->lane_bytes =
            a->lane_bytes > 4 ? 4 : a->lane_bytes; /* wide loads of one address merge their groups */
    } else if (form == 3) {
        words_say(&w,
                  second % 2 ? "threadIdx.x * %" PRIu32 " + threadIdx.y"
                             : "threadIdx.y * %" PRIu32 " + threadIdx.x",
                  16 + first % 17);
        a->block[0] = a->block[1] = 16;
    } else if (form == 4) {
        words_say(&w, "threadIdx.x * 32 + threadIdx.x %% %u", 2u << second % 4);
        a->lane_bytes = a->lane_bytes < 4 ? 4 : a->lane_bytes;
    } else {
        words_say(&w, "threadIdx.x * %u + (threadIdx.x / %u ^ %" PRIu32 ")", 8u << second % 3,
                  2u << first % 3, first % 8);
    }
}

static bool run_chosen(struct access_case *a, struct warp_access *out, struct random *random,
                       struct problem *problem)
{
    choose_access(a, random);
    return access_case_run(a, out, problem);
}

static void explain_lanes(struct question *q, const struct warp_access *access)
{
    struct words w = question_step(q);
    words_say(&w, "Bank = byte / 4 mod 32. ");
    access_case_say_lanes(access, "bank", BANK_BYTES, BANK_COUNT, &w);
    words_say(&w, ".");
}

static void say_banks(const unsigned words[BANK_COUNT], struct words *w)
{
    int64_t banks[BANK_COUNT];
    unsigned count = 0;
    for (unsigned bank = 0; bank < BANK_COUNT; bank++)
        if (words[bank])
            banks[count++] = bank;
    say_numbers(banks, count, w);
}

/* What a guess finds, all banks or nothing lost, is asked for, but not too often. */
static bool is_wanted(bool easy, struct random *random)
{
    return !easy || random_below(random, 4) == 0;
}

bool make_banks(struct question *q, struct random *random, struct problem *problem)
{
    struct access_case a;
    struct warp_access access;
    unsigned words[BANK_COUNT];
    if (!run_chosen(&a, &access, random, problem))
        return false;
    struct bank_spread spread = bank_spread_of(&access.lanes);
    bank_words_of(&access.lanes, words);
    if (!is_wanted(spread.banks == BANK_COUNT || spread.banks == 1, random))
        return false;
    struct words text = question_text(q), command = question_command(q), w;
    access_case_say(&a, &text);
    words_say(&text, " How many of the 32 banks does it touch?");
    access_case_command(&a, &command);
    words_say(&command, " --lanes");
    q->kind = ANSWER_NUMBER;
    q->least = 1;
    q->most = BANK_COUNT;
    (void)snprintf(q->answer, sizeof q->answer, "%u", spread.banks);
    explain_lanes(q, &access);
    if (a.lane_bytes > BANK_BYTES) {
        w = question_step(q);
        words_say(&w, "An element of %u bytes is %u words, side by side: it lies in %u banks.", a.lane_bytes,
                  a.lane_bytes / BANK_BYTES, a.lane_bytes / BANK_BYTES);
    }
    w = question_step(q);
    words_say(&w, "The 32 lanes ask for %u different word%s, which lie in bank%s ", spread.words,
              spread.words == 1 ? "" : "s", spread.banks == 1 ? "" : "s");
    say_banks(words, &w);
    words_say(&w, ": %u.", spread.banks);
    return true;
}

/* Lanes 0-15: 2 wavefronts; lanes 16-31: 2. */
static void say_groups(const struct warp_access *access, struct words *w)
{
    struct bank_wavefront parts[BANK_WAVEFRONT_LIMIT];
    unsigned count = bank_wavefronts_of(&access->lanes, parts);
    unsigned size = access->lanes.lane_bytes <= 4 ? 32 : access->lanes.lane_bytes == 8 ? 16 : 8;
    for (unsigned i = 0; i < count;) {
        unsigned last = i;
        while (last + 1 < count && parts[last + 1].group == parts[i].group)
            last++;
        words_say(w, "%slanes %u-%u: %u", i ? "; " : "", parts[i].group * size,
                  parts[i].group * size + size - 1, last - i + 1);
        i = last + 1;
    }
}

static void explain_wavefronts(struct question *q, const struct access_case *a,
                               const struct warp_access *access, struct bank_cost cost)
{
    unsigned words[BANK_COUNT], busiest = 0;
    struct words w;
    bank_words_of(&access->lanes, words);
    for (unsigned bank = 0; bank < BANK_COUNT; bank++)
        busiest = words[bank] > words[busiest] ? bank : busiest;
    explain_lanes(q, access);
    w = question_step(q);
    if (a->lane_bytes > BANK_BYTES)
        words_say(
            &w,
            "Elements of %u bytes are served in groups of %s lanes, since one wavefront moves 128 bytes at "
            "most.",
            a->lane_bytes, a->lane_bytes == 8 ? "16" : "8");
    else
        words_say(&w,
                  "Up to 4 bytes a lane, all 32 lanes go together. Lanes in one word share it for nothing.");
    w = question_step(q);
    words_say(&w, "The busiest bank, %u, has to hand out %u different word%s%s: %s.", busiest, words[busiest],
              words[busiest] == 1 ? "" : "s", a->lane_bytes > BANK_BYTES ? " of a group" : "",
              words[busiest] == 1 ? "one wavefront" : "a wavefront each");
    if (a->lane_bytes > BANK_BYTES) {
        w = question_step(q);
        words_say(&w, "Wavefronts of each group: ");
        say_groups(access, &w);
        words_say(&w, ".");
    }
    w = question_step(q);
    words_say(&w, "Together %u, where %u would do without conflicts: ", cost.wavefronts, cost.ideal);
    if (cost.wavefronts == cost.ideal)
        words_say(&w, "there is none.");
    else
        words_say(&w, "%u too many.", cost.wavefronts - cost.ideal);
}

bool make_wavefronts(struct question *q, struct random *random, struct problem *problem)
{
    struct access_case a;
    struct warp_access access;
    if (!run_chosen(&a, &access, random, problem))
        return false;
    struct bank_cost cost = bank_cost_of(&access.lanes);
    if (!is_wanted(cost.wavefronts == cost.ideal, random))
        return false;
    struct words text = question_text(q), command = question_command(q);
    access_case_say(&a, &text);
    words_say(&text, " How many wavefronts does it take?");
    access_case_command(&a, &command);
    q->kind = ANSWER_NUMBER;
    q->least = 1;
    q->most = 32 * (a.lane_bytes > BANK_BYTES ? a.lane_bytes / BANK_BYTES : 1);
    (void)snprintf(q->answer, sizeof q->answer, "%u", cost.wavefronts);
    explain_wavefronts(q, &a, &access, cost);
    return true;
}

struct tile {
    uint32_t edge, block_rows, pitch;
    unsigned elem_bytes;
};

static bool run_tile(const struct tile *tile, bool column, struct bank_cost *cost, struct problem *problem)
{
    struct warp_access access;
    struct access_case a = {.space = SPACE_SHARED,
                            .op = column ? ACCESS_LOAD : ACCESS_STORE,
                            .lane_bytes = tile->elem_bytes,
                            .block = {tile->edge, tile->block_rows}};
    struct words w = words_in(a.index, sizeof a.index);
    words_say(&w, "threadIdx.%c * %" PRIu32 " + threadIdx.%c", column ? 'x' : 'y', tile->pitch,
              column ? 'y' : 'x');
    if (!access_case_run(&a, &access, problem))
        return false;
    *cost = bank_cost_of(&access.lanes);
    return true;
}

/* Four pitches, ascending. */
static void choose_pitches(struct question *q, uint32_t edge, struct random *random)
{
    uint32_t taken = 0;
    for (unsigned count = 0; count < QUESTION_OFFERS;) {
        uint32_t pad = between(random, 0, 9);
        count += !(taken >> pad & 1);
        taken |= UINT32_C(1) << pad;
    }
    for (unsigned pad = 0, count = 0; pad < 10; pad++)
        if (taken >> pad & 1)
            q->offered[count++] = edge + pad;
}

static void ask_pitch(struct question *q, const struct tile *tile)
{
    struct words text = question_text(q), command = question_command(q);
    words_say(
        &text,
        "A %" PRIu32 " x %" PRIu32 " tile of %u-byte elements lies in shared memory, its rows PITCH elements "
        "apart; the block has %" PRIu32 " x %" PRIu32 " threads. Its first warp stores "
        "`tile[threadIdx.y][threadIdx.x]` and later loads `tile[threadIdx.x][threadIdx.y]`. With which PITCH "
        "is neither in conflict: ",
        tile->edge, tile->edge, tile->elem_bytes, tile->edge, tile->block_rows);
    words_say(&command, "lanescope banks -t %" PRIu32 " -b %" PRIu32 " -e %u --pitch ", tile->edge,
              tile->block_rows, tile->elem_bytes);
    for (unsigned i = 0; i < QUESTION_OFFERS; i++) {
        words_say(&text, "%" PRIu32 ", ", q->offered[i]);
        words_say(&command, "%s%" PRIu32, i ? "," : "", q->offered[i]);
    }
    words_say(&text, "or none of them?");
    q->kind = ANSWER_PITCH;
}

bool make_pitch(struct question *q, struct random *random, struct problem *problem)
{
    static const struct tile tiles[] = {{32, 8, 0, 4},  {32, 8, 0, 8},   {16, 16, 0, 4}, {16, 16, 0, 8},
                                        {16, 8, 0, 8},  {32, 8, 0, 2},   {32, 8, 0, 1},  {8, 8, 0, 4},
                                        {32, 8, 0, 16}, {16, 16, 0, 16}, {8, 8, 0, 8},   {8, 8, 0, 16}};
    struct tile tile = tiles[between(random, 0, sizeof tiles / sizeof *tiles - 1)];
    unsigned free_count = 0, kinds = 0;
    choose_pitches(q, tile.edge, random);
    (void)snprintf(q->answer, sizeof q->answer, "none");
    for (unsigned i = 0; i < QUESTION_OFFERS; i++) {
        struct bank_cost row, column;
        struct words w;
        tile.pitch = q->offered[i];
        if (!run_tile(&tile, false, &row, problem) || !run_tile(&tile, true, &column, problem))
            return false;
        bool is_free = row.wavefronts == row.ideal && column.wavefronts == column.ideal;
        if (is_free)
            (void)snprintf(q->answer, sizeof q->answer, "%" PRIu32, tile.pitch);
        free_count += is_free;
        kinds |= 1u << (column.wavefronts % 32);
        w = question_step(q);
        words_say(&w,
                  "PITCH %" PRIu32 ", %" PRIu32
                  " bytes a row: the store takes %u wavefront%s where %u would do, "
                  "the load %u where %u would do%s.",
                  tile.pitch, tile.pitch * tile.elem_bytes, row.wavefronts, row.wavefronts == 1 ? "" : "s",
                  row.ideal, column.wavefronts, column.ideal, is_free ? ": free of conflicts" : "");
    }
    struct words w = question_step(q);
    words_say(
        &w,
        "A step down a column is PITCH * %u / 4 banks. It is free where the lanes that are served together "
        "come to banks of their own.",
        tile.elem_bytes);
    ask_pitch(q, &tile);
    return free_count == 1 || (!free_count && (kinds & (kinds - 1)) && random_below(random, 4) == 0);
}
