/* test_region.c - boxes of blocks with and without a band, block by block; blocks by other numbers, against
 * the divisions that they stand for.
 */
#include "support.h"

#include <string.h>

#include "../sim/exec/numbering.h"

enum { SIDE = 14, CELLS = SIDE * SIDE * SIDE };

/* Which cells of a small grid a region has, each counted. */
static void count_blocks(const struct region *r, unsigned counts[CELLS], int sign)
{
    for (uint32_t z = 0; z < r->axis[2].count; z++)
        for (uint32_t y = 0; y < r->axis[1].count; y++)
            for (uint32_t x = 0; x < r->axis[0].count; x++) {
                const int64_t along[AXES] = {x, y, z};
                int64_t apart = along[r->band.a] - along[r->band.b];
                if (r->band.b && (apart < r->band.low || apart > r->band.high))
                    continue;
                uint32_t at[AXES];
                for (int k = 0; k < AXES; k++)
                    at[k] = r->axis[k].first + r->axis[k].step * (uint32_t)along[k];
                counts[(at[2] * SIDE + at[1]) * SIDE + at[0]] += (unsigned)sign;
            }
}

static uint64_t sum_of(const unsigned counts[CELLS])
{
    uint64_t sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += counts[i];
    return sum;
}

/* The most that a slope comes to, block by block. */
static int128 most_of(const struct region *r, const int128 slope[AXES])
{
    int128 most = 0;
    for (uint32_t z = 0; z < r->axis[2].count; z++)
        for (uint32_t y = 0; y < r->axis[1].count; y++)
            for (uint32_t x = 0; x < r->axis[0].count; x++) {
                const int64_t along[AXES] = {x, y, z};
                int64_t apart = along[r->band.a] - along[r->band.b];
                int128 sum = slope[0] * x + slope[1] * y + slope[2] * z;
                if (sum > most && !(r->band.b && (apart < r->band.low || apart > r->band.high)))
                    most = sum;
            }
    return most;
}

static void cut_somehow(struct random *random, struct region *r)
{
    int128 slope[AXES] = {0}, every[AXES];
    for (int k = 0; k < AXES; k++) {
        every[k] = random_below(random, 4) ? 1 : 1 + random_below(random, 3);
        slope[k] = random_below(random, 2) ? (int128)random_below(random, 9) - 4 : 0;
    }
    if (random_below(random, 2)) { /* a difference */
        int a = (int)random_below(random, 3), b = (a + 1) % 3;
        slope[a] = 1 + random_below(random, 3);
        slope[b] = -slope[a];
        slope[3 - a - b] = 0;
    }
    assert_true(region_most(r, slope) == most_of(r, slope));
    if (random_below(random, 4) == 0) {
        region_thin(r, every);
    } else if (random_below(random, 8) == 0) {
        region_keep_one(r, (int)random_below(random, 3));
    } else {
        int128 most = random_below(random, 12);
        region_cut(r, slope, most);
        assert_true(most_of(r, slope) <= most);
    }
}

static void what_is_cut_and_the_rest_are_the_whole(void **state)
{
    (void)state;
    static struct region rest[CELLS];
    static unsigned whole[CELLS], parts[CELLS];
    struct random random = {5};
    unsigned banded = 0;
    for (int n = 0; n < 4000; n++) {
        const uint32_t grid[AXES] = {1 + random_below(&random, SIDE), 1 + random_below(&random, SIDE),
                                     1 + random_below(&random, SIDE)};
        struct region r = region_of_grid(grid);
        for (unsigned depth = 0; depth < 4; depth++) { /* of a piece, of a piece of that, ... */
            struct region part = r;
            uint32_t last[AXES];
            for (unsigned cuts = 1 + random_below(&random, 3); cuts; cuts--)
                cut_somehow(&random, &part);
            memset(whole, 0, sizeof whole);
            memset(parts, 0, sizeof parts);
            count_blocks(&r, whole, 1);
            count_blocks(&part, parts, 1);
            assert_int_equal(sum_of(parts), region_blocks(&part));
            for (int k = 0; k < AXES; k++)
                assert_int_equal(part.axis[k].first, r.axis[k].first);
            region_last(&part, last);
            assert_int_equal(parts[(last[2] * SIDE + last[1]) * SIDE + last[0]], 1);
            uint64_t pieces = region_rest(&r, &part, rest, CELLS);
            assert_true(pieces <= CELLS);
            for (uint64_t i = 0; i < pieces; i++) {
                const struct axis *axis = rest[i].axis;
                unsigned before = parts[(axis[2].first * SIDE + axis[1].first) * SIDE + axis[0].first];
                count_blocks(&rest[i], parts, 1);
                /* its first block is its own */
                assert_int_equal(before + 1,
                                 parts[(axis[2].first * SIDE + axis[1].first) * SIDE + axis[0].first]);
            }
            assert_memory_equal(whole, parts, sizeof whole);
            banded += region_is_banded(&r) + region_is_banded(&part);
            if (!pieces)
                break;
            r = rest[random_below(&random, (uint32_t)pieces)];
        }
    }
    assert_true(banded > 1000);
}

/* Each block of a grid once, and the sum of each place's slopes is what the kernel computes there. */
static void each_block_has_one_other_number(void **state)
{
    (void)state;
    for (uint32_t gx = 1; gx <= 12; gx++)
        for (uint32_t gy = 1; gy <= 12; gy++)
            for (uint32_t divisor = 2; divisor <= 13; divisor++) {
                const uint32_t grid[AXES] = {gx, gy, 1};
                struct numbering numbering = numbering_of_grid(grid);
                struct region whole = region_of_grid(grid), start[2];
                struct slope number = {.at = {1, gx}};
                unsigned met[12 * 12] = {0}, blocks = 0;
                if (!numbering_split(&numbering, &whole, &number, 0, divisor))
                    continue;
                struct slope x = {{0}}, y = {{0}};
                x.at[numbering.builtin[0]] = gx > 1;
                y.at[numbering.builtin[1]] = gy > 1 ? gx : 0; /* what has one value does not move */
                for (int t = 0; t < TERMS; t++)
                    number.at[t] = x.at[t] + y.at[t];
                for (unsigned s = 0, starts = numbering_start(&numbering, start); s < starts; s++) {
                    numbering_resolve(&numbering, &start[s], &number);
                    const struct axis *axis = start[s].axis;
                    for (uint32_t i = 0; i < axis[0].count * axis[1].count * axis[2].count; i++) {
                        const uint32_t at[] = {axis[0].first + i % axis[0].count,
                                               axis[1].first + i / axis[0].count % axis[1].count,
                                               axis[2].first + i / axis[0].count / axis[1].count};
                        uint32_t block[AXES];
                        int64_t sum = 0;
                        numbering_block(&numbering, at, block);
                        assert_true(block[0] < gx && block[1] < gy && block[2] == 0);
                        met[block[1] * gx + block[0]]++;
                        blocks++;
                        for (int k = 0; k < AXES; k++)
                            sum += number.at[k] * at[k];
                        if (!numbering.split[0].goes_round)
                            assert_int_equal(sum, block[1] * gx + block[0]);
                    }
                }
                assert_int_equal(blocks, gx * gy);
                for (unsigned i = 0; i < gx * gy; i++)
                    assert_int_equal(met[i], 1);
            }
}

/* (bx + by) % gridDim.x, and what the same kernel made of the number of the block before. */
static void a_rest_goes_round_with_an_axis(void **state)
{
    (void)state;
    const uint32_t grid[AXES] = {5, 7, 2};
    struct numbering numbering = numbering_of_grid(grid);
    struct region whole = region_of_grid(grid), start[2];
    struct slope number = {.at = {1, 5}};
    assert_true(
        numbering_split(&numbering, &whole, &number, 0, 7)); /* axis 0 the rest, axis 1 the quotient */
    assert_int_equal(numbering_start(&numbering, start), 1);
    assert_int_equal(start[0].axis[0].count, 7);
    struct slope sum = {.at = {1, 1}};
    assert_true(numbering_split(&numbering, &start[0], &sum, 0, 5));
    assert_int_equal(numbering_start(&numbering, start), 1);
    unsigned met[70] = {0};
    for (uint32_t i = 0; i < 70; i++) {
        const uint32_t at[] = {i % 7, i / 7 % 5, i / 35};
        uint32_t block[AXES];
        numbering_block(&numbering, at, block);
        uint32_t id = block[1] * 5 + block[0];
        assert_int_equal(id % 7, at[0]);
        assert_int_equal((id / 7 + id % 7) % 5, at[1]);
        assert_int_equal(block[2], at[2]);
        met[block[2] * 35 + id]++;
    }
    for (unsigned i = 0; i < 70; i++)
        assert_int_equal(met[i], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_cut_and_the_rest_are_the_whole),
        cmocka_unit_test(each_block_has_one_other_number),
        cmocka_unit_test(a_rest_goes_round_with_an_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
