/* test_sector.c - the sector rule against a bitmap, and its famous cases. */
#include "support.h"

#include <string.h>

#include "../sim/model/sector.h"

static unsigned sectors(unsigned lane_bytes, int64_t base, int64_t stride, uint32_t mask, unsigned *ideal)
{
    int64_t delta[32];
    for (int i = 0; i < 32; i++)
        delta[i] = i * stride;
    struct lanes lanes = {
        .lane_bytes = lane_bytes, .is_load = true, .mask = mask, .base = base, .delta = delta};
    struct sector_cost cost = sector_cost_of(&lanes);
    if (ideal)
        *ideal = cost.ideal;
    return cost.sectors;
}

static void a_row_of_floats_is_four_sectors_when_aligned_and_five_when_not(void **state)
{
    (void)state;
    unsigned ideal;
    assert_int_equal(sectors(4, 0, 4, UINT32_MAX, &ideal), 4);
    assert_int_equal(ideal, 4);
    assert_int_equal(sectors(4, 4, 4, UINT32_MAX, &ideal), 5);
    assert_int_equal(ideal, 4);
    /* a matrix 1001 wide: row 0 is aligned, rows 1 to 7 are not */
    for (int row = 0; row < 8; row++)
        assert_int_equal(sectors(4, row * 1001 * 4, 4, UINT32_MAX, NULL), row ? 5 : 4);
}

static void a_column_is_a_sector_a_lane(void **state)
{
    (void)state;
    unsigned ideal;
    assert_int_equal(sectors(4, 0, 4096, UINT32_MAX, &ideal), 32);
    assert_int_equal(ideal, 4);
    assert_int_equal(sectors(4, 0, 4096, 0x5555, NULL), 8);
    assert_int_equal(sectors(4, 0, 4096, 0, &ideal), 0);
    assert_int_equal(ideal, 0);
}

static void one_cell_for_all_lanes_is_one_sector_and_ideal(void **state)
{
    (void)state;
    unsigned ideal;
    assert_int_equal(sectors(4, 60, 0, UINT32_MAX, &ideal), 1);
    assert_int_equal(ideal, 1);
}

static void addresses_below_zero_are_counted_like_any(void **state)
{
    (void)state;
    assert_int_equal(sectors(4, -64, 4, UINT32_MAX, NULL), 4);
    assert_int_equal(sectors(4, -4, 4, UINT32_MAX, NULL), 5);
    assert_int_equal(sectors(2, -1, 0, UINT32_MAX, NULL), 2);
}

static unsigned lines(unsigned lane_bytes, int64_t base, int64_t stride, uint32_t mask)
{
    int64_t delta[32];
    for (int i = 0; i < 32; i++)
        delta[i] = i * stride;
    struct lanes lanes = {.lane_bytes = lane_bytes, .mask = mask, .base = base, .delta = delta};
    return sector_cost_of(&lanes).lines;
}

static void lines_are_the_distinct_128_bytes(void **state)
{
    (void)state;
    assert_int_equal(lines(4, 0, 4, UINT32_MAX), 1);
    assert_int_equal(lines(4, 4, 4, UINT32_MAX), 2); /* aligned for its lanes, one float late */
    assert_int_equal(lines(4, 96, 4, 0xff), 1);      /* its last sector */
    assert_int_equal(lines(4, 96, 4, 0x1ff), 2);
    assert_int_equal(lines(8, 0, 8, UINT32_MAX), 2);
    assert_int_equal(lines(16, 0, 16, UINT32_MAX), 4);
    assert_int_equal(lines(16, 64, 16, UINT32_MAX), 5);
    assert_int_equal(lines(4, 0, 128, UINT32_MAX), 32);
    assert_int_equal(lines(4, 0, 64, UINT32_MAX), 16);
    assert_int_equal(lines(4, 1000, 0, UINT32_MAX), 1);
    assert_int_equal(lines(4, 0, 4, 0), 0);
    assert_int_equal(lines(4, 126, 0, 1), 2);              /* misaligned: it straddles */
    assert_int_equal(lines(16, 120, 128, UINT32_MAX), 33); /* each lane straddles into the next one's line */
    assert_int_equal(lines(4, -128, 4, UINT32_MAX), 1);    /* below the buffer like any */
    assert_int_equal(lines(4, -4, 4, UINT32_MAX), 2);
}

/* The list is ascending, as long as the cost, and names the lanes of each sector. */
static void expect_list(const struct lanes *lanes, unsigned count)
{
    struct sector list[SECTOR_LIMIT];
    assert_int_equal(sectors_of(lanes, list), count);
    for (unsigned i = 0; i < count; i++) {
        assert_true(i == 0 || list[i].index > list[i - 1].index);
        for (unsigned lane = 0; lane < 32; lane++) {
            int64_t begin = lanes->base + lanes->delta[lane], end = begin + lanes->lane_bytes;
            bool touches =
                (lanes->mask >> lane & 1) && begin < list[i].index * 32 + 32 && end > list[i].index * 32;
            assert_int_equal(list[i].lanes >> lane & 1, touches);
        }
    }
}

static void random_accesses_touch_what_a_bitmap_says(void **state)
{
    (void)state;
    struct random random = {3};
    for (int round = 0; round < 3000; round++) {
        bool sector[1024] = {false}, line[256] = {false}, byte[32 * 1024] = {false};
        int64_t delta[32];
        unsigned lane_bytes = 1u << random_below(&random, 5), touched = 0, touched_lines = 0, bytes = 0;
        uint32_t mask = (uint32_t)random_next(&random),
                 range = 1 + random_below(&random, round % 2 ? 300 : 8000);
        for (int i = 0; i < 32; i++) {
            delta[i] = random_below(&random, range);
            for (int64_t b = delta[i]; (mask >> i & 1) && b < delta[i] + lane_bytes; b++) {
                touched += !sector[b / 32];
                bytes += !byte[b];
                touched_lines += !line[b / 128];
                sector[b / 32] = line[b / 128] = byte[b] = true;
            }
        }
        struct lanes lanes = {.lane_bytes = lane_bytes, .mask = mask, .delta = delta};
        struct sector_cost cost = sector_cost_of(&lanes);
        assert_int_equal(cost.sectors, touched);
        assert_int_equal(cost.lines, touched_lines);
        assert_int_equal(cost.ideal, (bytes + 31) / 32);
        assert_true(cost.ideal <= cost.sectors);
        unsigned partial = 0;
        for (int s = 0; s < 1024; s++) {
            unsigned covered = 0;
            for (int b = 0; b < 32; b++)
                covered += byte[32 * s + b];
            partial += covered > 0 && covered < 32;
        }
        assert_int_equal(cost.partial, partial);
        expect_list(&lanes, touched);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_floats_is_four_sectors_when_aligned_and_five_when_not),
        cmocka_unit_test(a_column_is_a_sector_a_lane),
        cmocka_unit_test(one_cell_for_all_lanes_is_one_sector_and_ideal),
        cmocka_unit_test(addresses_below_zero_are_counted_like_any),
        cmocka_unit_test(lines_are_the_distinct_128_bytes),
        cmocka_unit_test(random_accesses_touch_what_a_bitmap_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
