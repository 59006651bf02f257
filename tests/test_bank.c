/* test_bank.c - the bank rule against an independent statement of it, and its famous cases. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "../sim/model/bank.h"

static struct lanes strided(int64_t *delta, unsigned lane_bytes, int64_t stride, bool is_load)
{
    for (int i = 0; i < 32; i++)
        delta[i] = i * stride;
    return (struct lanes){.lane_bytes = lane_bytes, .is_load = is_load, .mask = UINT32_MAX, .delta = delta};
}

static void expect_cost(const struct lanes *lanes, unsigned wavefronts, unsigned ideal)
{
    struct bank_cost cost = bank_cost_of(lanes);
    assert_int_equal(cost.wavefronts, wavefronts);
    assert_int_equal(cost.ideal, ideal);
}

static void a_column_of_pitch_32_is_one_bank_and_of_33_all(void **state)
{
    (void)state;
    int64_t delta[32];
    unsigned words[BANK_COUNT];
    struct lanes lanes = strided(delta, 4, 32 * 4, true);
    expect_cost(&lanes, 32, 1);
    bank_words_of(&lanes, words);
    assert_int_equal(words[0], 32);
    for (int bank = 1; bank < 32; bank++)
        assert_int_equal(words[bank], 0);
    lanes = strided(delta, 4, 33 * 4, true);
    expect_cost(&lanes, 1, 1);
    bank_words_of(&lanes, words);
    for (int bank = 0; bank < 32; bank++)
        assert_int_equal(words[bank], 1);
}

static void one_word_for_all_lanes_is_a_broadcast_for_loads_and_stores(void **state)
{
    (void)state;
    int64_t delta[32];
    for (int load = 0; load < 2; load++) {
        struct lanes lanes = strided(delta, 4, 0, load);
        expect_cost(&lanes, 1, 1);
        lanes = strided(delta, 1, 1, load); /* 32 bytes in 8 words */
        expect_cost(&lanes, 1, 1);
    }
}

static void an_ideal_float4_is_four_wavefronts_and_no_conflict(void **state)
{
    (void)state;
    int64_t delta[32];
    struct lanes lanes = strided(delta, 16, 16, true);
    expect_cost(&lanes, 4, 4);
    lanes = strided(delta, 8, 8, true);
    expect_cost(&lanes, 2, 2);
    lanes = strided(delta, 16, 0, true); /* all lanes one address: the groups merge */
    expect_cost(&lanes, 2, 2);
    lanes = strided(delta, 16, 0, false); /* stores never merge */
    expect_cost(&lanes, 4, 4);
}

/* A column of doubles: 32 words in one bank, but 16 in each of the two groups that are served apart. */
static void a_column_of_8_bytes_is_a_16_way_conflict(void **state)
{
    (void)state;
    int64_t delta[32];
    struct lanes lanes = strided(delta, 8, 256, true);
    struct bank_spread spread = bank_spread_of(&lanes);
    expect_cost(&lanes, 32, 2);
    assert_int_equal(spread.ways, 16);
    assert_int_equal(spread.banks, 2);
    assert_int_equal(spread.words, 64);
}

static void inactive_lanes_cost_nothing(void **state)
{
    (void)state;
    int64_t delta[32];
    struct lanes lanes = strided(delta, 4, 128, true);
    lanes.mask = 0;
    expect_cost(&lanes, 0, 0);
    lanes.mask = 0x0000ffff;
    expect_cost(&lanes, 16, 1);
    lanes = strided(delta, 16, 16, true);
    lanes.mask = 0xff; /* the first group alone */
    expect_cost(&lanes, 1, 1);
}

/* The rule again, stated the slow way: for each group and bank, the set of words. */
static unsigned slow_wavefronts(const struct lanes *lanes)
{
    unsigned size = lanes->lane_bytes == 16 ? 8 : lanes->lane_bytes == 8 ? 16 : 32, total = 0;
    for (unsigned distance = 1; distance <= 2 && size < 32 && lanes->is_load; distance++) {
        bool agree = true;
        for (unsigned i = 0; i < 32; i++)
            for (unsigned k = 0; k < 32; k++)
                if ((i ^ k) == distance && (lanes->mask >> i & 1) && (lanes->mask >> k & 1) &&
                    lanes->delta[i] != lanes->delta[k])
                    agree = false;
        if (agree) {
            size *= 2;
            break;
        }
    }
    for (unsigned first = 0; first < 32; first += size) {
        unsigned most = 0;
        for (unsigned bank = 0; bank < 32; bank++) {
            unsigned distinct = 0;
            for (int64_t word = bank; word < 4096; word += 32) {
                bool wanted = false;
                for (unsigned i = first; i < first + size; i++) {
                    int64_t begin = lanes->base + lanes->delta[i], end = begin + lanes->lane_bytes - 1;
                    wanted = wanted || ((lanes->mask >> i & 1) && word >= begin / 4 && word <= end / 4);
                }
                distinct += wanted;
            }
            most = distinct > most ? distinct : most;
        }
        total += most;
    }
    return total;
}

/* Words and banks of all lanes; as many ways as the worst of the groups has wavefronts. */
static void expect_slow_spread(const struct lanes *lanes)
{
    struct bank_spread spread = bank_spread_of(lanes);
    struct bank_wavefront waves[BANK_WAVEFRONT_LIMIT];
    bool bank[32] = {false}, word[4096] = {false};
    unsigned words = 0, banks = 0, group[4] = {0}, ways = 0;
    for (unsigned i = 0; i < 32; i++)
        for (unsigned b = 0; (lanes->mask >> i & 1) && b < lanes->lane_bytes; b++) {
            int64_t at = (lanes->base + lanes->delta[i] + b) / 4;
            words += !word[at];
            banks += !bank[at % 32];
            word[at] = bank[at % 32] = true;
        }
    for (unsigned i = bank_wavefronts_of(lanes, waves); i-- > 0;)
        ways = ++group[waves[i].group] > ways ? group[waves[i].group] : ways;
    assert_int_equal(spread.words, words);
    assert_int_equal(spread.banks, banks);
    assert_int_equal(spread.ways, ways);
}

static void random_accesses_cost_what_the_slow_rule_says(void **state)
{
    (void)state;
    struct random random = {7};
    int rounds = is_sanitized() ? 150 : 1500;
    for (int round = 0; round < rounds; round++) {
        int64_t delta[32];
        unsigned lane_bytes = 1u << random_below(&random, 5);
        uint32_t kinds = 1 + random_below(&random, 40);
        for (int i = 0; i < 32; i++)
            delta[i] = (int64_t)(random_below(&random, kinds) * lane_bytes * (1 + random_below(&random, 3)));
        if (random_below(&random, 2)) /* pairs that agree, so that merging happens */
            for (int i = 0; i < 32; i++)
                delta[i] = delta[i & ~(1 + (int)random_below(&random, 1))];
        struct lanes lanes = {.lane_bytes = lane_bytes,
                              .is_load = random_below(&random, 2),
                              .mask = random_below(&random, 3) ? UINT32_MAX : (uint32_t)random_next(&random),
                              .base = (int64_t)(random_below(&random, 64) * lane_bytes),
                              .delta = delta};
        assert_int_equal(bank_cost_of(&lanes).wavefronts, slow_wavefronts(&lanes));
        expect_slow_spread(&lanes);
    }
}

static void the_wavefronts_one_by_one_serve_every_lane_and_no_bank_twice(void **state)
{
    (void)state;
    struct random random = {11};
    for (int round = 0; round < 300; round++) {
        int64_t delta[32];
        unsigned lane_bytes = 1u << random_below(&random, 5);
        for (int i = 0; i < 32; i++)
            delta[i] = (int64_t)(random_below(&random, 200) * lane_bytes);
        struct lanes lanes = {.lane_bytes = lane_bytes,
                              .is_load = random_below(&random, 2),
                              .mask = (uint32_t)random_next(&random),
                              .delta = delta};
        struct bank_wavefront wavefronts[BANK_WAVEFRONT_LIMIT];
        unsigned count = bank_wavefronts_of(&lanes, wavefronts);
        uint32_t served = 0;
        assert_int_equal(count, bank_cost_of(&lanes).wavefronts);
        for (unsigned i = 0; i < count; i++) {
            assert_true(wavefronts[i].lanes != 0 && wavefronts[i].banks != 0);
            served |= wavefronts[i].lanes;
        }
        assert_int_equal(served, lanes.mask);
    }
}

/* Lanes of 8 bytes are aligned here, so both words of a lane wait equally long: only the banks tell them
 * apart. */
static void every_word_of_a_lane_is_asked_of_its_bank(void **state)
{
    (void)state;
    int64_t delta[32];
    unsigned words[BANK_COUNT];
    struct bank_wavefront wavefronts[BANK_WAVEFRONT_LIMIT];
    for (unsigned lane_bytes = 8; lane_bytes <= 16; lane_bytes *= 2) {
        struct lanes lanes = strided(delta, lane_bytes, lane_bytes, true);
        bank_words_of(&lanes, words);
        for (int bank = 0; bank < 32; bank++)
            assert_int_equal(words[bank], 1);
        assert_int_equal(bank_wavefronts_of(&lanes, wavefronts), lane_bytes / 4);
        for (unsigned i = 0; i < lane_bytes / 4; i++)
            assert_int_equal(wavefronts[i].banks, UINT32_MAX);
        lanes = strided(delta, lane_bytes, 128, false); /* a column: all lanes in the same few banks */
        bank_words_of(&lanes, words);
        for (unsigned bank = 0; bank < 32; bank++)
            assert_int_equal(words[bank], bank < lane_bytes / 4 ? 128 / lane_bytes : 0);
    }
}

/* Words 1 and 2, and words 32 and 33: bank 1 has two to serve. The second is lane 1's second word. */
static void a_wavefront_names_the_lane_whose_second_word_it_serves(void **state)
{
    (void)state;
    int64_t delta[32] = {4, 128};
    struct lanes lanes = {.lane_bytes = 8, .mask = 3, .delta = delta};
    struct bank_wavefront wavefronts[BANK_WAVEFRONT_LIMIT];
    expect_cost(&lanes, 2, 1);
    assert_int_equal(bank_wavefronts_of(&lanes, wavefronts), 2);
    assert_int_equal(wavefronts[0].lanes, 3);
    assert_int_equal(wavefronts[0].banks, 7);
    assert_int_equal(wavefronts[1].lanes, 2);
    assert_int_equal(wavefronts[1].banks, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_of_pitch_32_is_one_bank_and_of_33_all),
        cmocka_unit_test(one_word_for_all_lanes_is_a_broadcast_for_loads_and_stores),
        cmocka_unit_test(an_ideal_float4_is_four_wavefronts_and_no_conflict),
        cmocka_unit_test(a_column_of_8_bytes_is_a_16_way_conflict),
        cmocka_unit_test(inactive_lanes_cost_nothing),
        cmocka_unit_test(random_accesses_cost_what_the_slow_rule_says),
        cmocka_unit_test(the_wavefronts_one_by_one_serve_every_lane_and_no_bank_twice),
        cmocka_unit_test(every_word_of_a_lane_is_asked_of_its_bank),
        cmocka_unit_test(a_wavefront_names_the_lane_whose_second_word_it_serves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
