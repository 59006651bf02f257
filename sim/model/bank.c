#include "bank.h"

#include <string.h>

static int64_t address(const struct lanes *lanes, unsigned lane)
{
    return (int64_t)((uint64_t)lanes->base + (uint64_t)lanes->delta[lane]);
}

/* Every active lane i has lane i ^ distance inactive or at the same address. */
static bool pairs_agree(const struct lanes *lanes, unsigned distance)
{
    for (unsigned i = 0; i < 32; i++) {
        unsigned other = i ^ distance;
        if ((lanes->mask >> i & 1) && (lanes->mask >> other & 1) && lanes->delta[i] != lanes->delta[other])
            return false;
    }
    return true;
}

static unsigned group_size(const struct lanes *lanes)
{
    unsigned size = lanes->lane_bytes <= 4 ? 32 : lanes->lane_bytes == 8 ? 16 : 8;
    if (lanes->is_atomic)
        return 32;
    if (size < 32 && lanes->is_load && (pairs_agree(lanes, 1) || pairs_agree(lanes, 2)))
        size *= 2;
    return size;
}

/* The distinct words that each bank has to serve for one group of lanes. */
struct group_words {
    unsigned count[BANK_COUNT];
    int64_t word[BANK_COUNT][160];
    uint8_t lane[BANK_COUNT][160]; /* the first that asks for it */
    unsigned most;
};

static void add_word(struct group_words *words, int64_t word, unsigned lane, bool shares)
{
    unsigned bank = (unsigned)((uint64_t)word % BANK_COUNT);
    for (unsigned i = 0; shares && i < words->count[bank]; i++)
        if (words->word[bank][i] == word)
            return;
    words->lane[bank][words->count[bank]] = (uint8_t)lane;
    words->word[bank][words->count[bank]++] = word;
    if (words->count[bank] > words->most)
        words->most = words->count[bank];
}

static void collect(const struct lanes *lanes, unsigned first, unsigned size, struct group_words *words)
{
    memset(words->count, 0, sizeof words->count);
    words->most = 0;
    for (unsigned i = first; i < first + size; i++) {
        if (!(lanes->mask >> i & 1))
            continue;
        int64_t last = unit_of(address(lanes, i) + (int64_t)lanes->lane_bytes - 1, BANK_BYTES);
        for (int64_t word = unit_of(address(lanes, i), BANK_BYTES); word <= last; word++)
            add_word(words, word, i, !lanes->is_atomic);
    }
}

struct bank_cost bank_cost_of(const struct lanes *lanes)
{
    struct bank_cost cost = {0};
    struct group_words words;
    unsigned size = group_size(lanes);
    for (unsigned first = 0; first < 32; first += size) {
        collect(lanes, first, size, &words);
        cost.wavefronts += words.most;
        cost.ideal += words.most > 0;
    }
    if (lanes->is_atomic) {
        cost.wavefronts *= lanes->turns;
        cost.ideal *= lanes->turns;
    }
    return cost;
}

void bank_words_of(const struct lanes *lanes, unsigned words[BANK_COUNT])
{
    struct group_words group;
    unsigned size = group_size(lanes);
    memset(words, 0, BANK_COUNT * sizeof *words);
    for (unsigned first = 0; first < 32; first += size) {
        collect(lanes, first, size, &group);
        for (unsigned bank = 0; bank < BANK_COUNT; bank++)
            if (group.count[bank] > words[bank])
                words[bank] = group.count[bank];
    }
}

struct bank_spread bank_spread_of(const struct lanes *lanes)
{
    struct bank_spread spread = {0};
    struct group_words all;
    unsigned ways[BANK_COUNT];
    collect(lanes, 0, 32, &all);
    bank_words_of(lanes, ways);
    for (unsigned bank = 0; bank < BANK_COUNT; bank++) {
        spread.words += all.count[bank];
        spread.banks += all.count[bank] > 0;
        spread.ways = ways[bank] > spread.ways ? ways[bank] : spread.ways;
    }
    return spread;
}

/* Lanes of the group that touch the word. */
static uint32_t lanes_of_word(const struct lanes *lanes, unsigned first, unsigned size, int64_t word)
{
    uint32_t result = 0;
    for (unsigned i = first; i < first + size; i++) {
        int64_t begin = unit_of(address(lanes, i), BANK_BYTES);
        int64_t end = unit_of(address(lanes, i) + (int64_t)lanes->lane_bytes - 1, BANK_BYTES);
        if ((lanes->mask >> i & 1) && word >= begin && word <= end)
            result |= UINT32_C(1) << i;
    }
    return result;
}

unsigned bank_wavefronts_of(const struct lanes *lanes, struct bank_wavefront out[BANK_WAVEFRONT_LIMIT])
{
    struct group_words words;
    unsigned size = group_size(lanes), count = 0;
    for (unsigned first = 0; first < 32; first += size) {
        collect(lanes, first, size, &words);
        unsigned turns = lanes->is_atomic ? lanes->turns : 1;
        for (unsigned step = 0; step < words.most * turns && count < BANK_WAVEFRONT_LIMIT; step++) {
            unsigned k = step / turns;
            struct bank_wavefront *wavefront = &out[count++];
            *wavefront = (struct bank_wavefront){.group = first / size};
            for (unsigned bank = 0; bank < BANK_COUNT; bank++) {
                if (k >= words.count[bank])
                    continue;
                wavefront->banks |= UINT32_C(1) << bank;
                wavefront->served[bank] = lanes->is_atomic
                                              ? UINT32_C(1) << words.lane[bank][k]
                                              : lanes_of_word(lanes, first, size, words.word[bank][k]);
                wavefront->lanes |= wavefront->served[bank];
            }
        }
    }
    return count;
}
