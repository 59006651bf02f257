/* test_device.c - the device table and occupancy, at figures that NVIDIA's own calculator gives. */
#include "support.h"

#include <string.h>

#include "../sim/model/occupancy.h"

static void every_device_is_found_by_each_of_its_names(void **state)
{
    (void)state;
    assert_int_equal(device_count, 14);
    for (size_t i = 0; i < device_count; i++) {
        char dotted[16];
        (void)snprintf(dotted, sizeof dotted, "%u.%u", devices[i].major, devices[i].minor);
        assert_ptr_equal(device_find(devices[i].name), &devices[i]);
        assert_ptr_equal(device_find(devices[i].name + 3), &devices[i]);
        assert_ptr_equal(device_find(dotted), &devices[i]);
    }
    assert_null(device_find("sm_99"));
    assert_null(device_find(""));
}

static void only_sm_90_is_verified(void **state)
{
    (void)state;
    for (size_t i = 0; i < device_count; i++)
        assert_int_equal(devices[i].verified, strcmp(devices[i].name, "sm_90") == 0);
}

static void expect(const char *device, unsigned threads, uint64_t shared, unsigned registers, unsigned blocks,
                   enum occupancy_limit limit)
{
    struct occupancy o = occupancy_of(device_find(device), threads, shared, registers);
    assert_int_equal(o.blocks, blocks);
    assert_int_equal(o.limit, limit);
    assert_int_equal(o.warps, blocks * ((threads + 31) / 32));
}

static void occupancy_is_stopped_by_the_tightest_limit(void **state)
{
    (void)state;
    expect("sm_90", 256, 0, 0, 8, LIMIT_WARPS);
    expect("sm_90", 1024, 4224, 0, 2, LIMIT_WARPS);
    expect("sm_90", 32, 0, 0, 32, LIMIT_BLOCKS);
    expect("sm_90", 256, 33024, 0, 6, LIMIT_SHARED); /* 233472 / (33024 + 1024 = 34048, a multiple of 128) */
    expect("sm_90", 256, 33025, 0, 6, LIMIT_SHARED); /* 34176 */
    expect("sm_90", 64, 7168, 0, 28, LIMIT_SHARED);  /* 233472 / 8192 = 28.5 */
    expect("sm_90", 256, 0, 64, 4, LIMIT_REGISTERS); /* 16384 / 2048 = 8 warps a partition, 32 an SM */
    expect("sm_90", 256, 0, 33, 6, LIMIT_REGISTERS); /* 33 * 32 rounds up to 1280: 12 a partition, 48 */
    expect("sm_75", 256, 0, 0, 4, LIMIT_WARPS);
    expect("sm_86", 256, 0, 0, 6, LIMIT_WARPS);
    expect("sm_70", 256, 12288, 0, 8, LIMIT_WARPS);  /* 98304 / 12288 = 8: no less than the warps allow */
    expect("sm_70", 256, 12289, 0, 7, LIMIT_SHARED); /* 12544: granularity 256, nothing reserved */
    expect("sm_90", 256, 232449, 0, 0, LIMIT_IMPOSSIBLE);
    expect("sm_90", 256, 232448, 0, 1, LIMIT_SHARED);
}

/* 33 registers are 1,280 a warp: 51 warps of an SM's 65,536, but 12 of each partition's 16,384, which
 * makes 48. */
static void a_warp_s_registers_lie_in_one_partition(void **state)
{
    (void)state;
    expect("sm_90", 96, 0, 33, 16, LIMIT_REGISTERS); /* 51 / 3 would be 17 */
    expect("sm_90", 96, 0, 40, 16, LIMIT_REGISTERS); /* 40 are 1,280 too */
    expect("sm_90", 96, 0, 41, 13, LIMIT_REGISTERS); /* 1,536: 10 a partition, 40; 42 / 3 would be 14 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_device_is_found_by_each_of_its_names),
        cmocka_unit_test(only_sm_90_is_verified),
        cmocka_unit_test(occupancy_is_stopped_by_the_tightest_limit),
        cmocka_unit_test(a_warp_s_registers_lie_in_one_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
