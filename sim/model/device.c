#include "device.h"

#include <stdio.h>
#include <string.h>

const struct device devices[] = {
    /* name    family       cc      warps blocks SM KB blk KB gran resv  verified uncertain */
    {"sm_70", "Volta", 7, 0, 64, 32, 96, 96, 256, 0, false, false},
    {"sm_72", "Volta", 7, 2, 64, 32, 96, 96, 256, 0, false, false},
    {"sm_75", "Turing", 7, 5, 32, 16, 64, 64, 256, 0, false, false},
    {"sm_80", "Ampere", 8, 0, 64, 32, 164, 163, 128, 1024, false, false},
    {"sm_86", "Ampere", 8, 6, 48, 16, 100, 99, 128, 1024, false, false},
    {"sm_87", "Ampere", 8, 7, 48, 16, 164, 163, 128, 1024, false, false},
    {"sm_89", "Ada", 8, 9, 48, 24, 100, 99, 128, 1024, false, false},
    {"sm_90", "Hopper", 9, 0, 64, 32, 228, 227, 128, 1024, true, false},
    {"sm_100", "Blackwell", 10, 0, 64, 32, 228, 227, 128, 1024, false, false},
    {"sm_101", "Blackwell", 10, 1, 48, 24, 228, 227, 128, 1024, false, true},
    {"sm_103", "Blackwell", 10, 3, 64, 32, 228, 227, 128, 1024, false, false},
    {"sm_110", "Blackwell", 11, 0, 48, 24, 228, 227, 128, 1024, false, true},
    {"sm_120", "Blackwell", 12, 0, 48, 24, 100, 99, 128, 1024, false, false},
    {"sm_121", "Blackwell", 12, 1, 48, 24, 100, 99, 128, 1024, false, false},
};

const size_t device_count = sizeof devices / sizeof *devices;

const struct device *device_find(const char *name)
{
    for (size_t i = 0; i < device_count; i++) {
        char dotted[16];
        (void)snprintf(dotted, sizeof dotted, "%u.%u", devices[i].major, devices[i].minor);
        if (strcmp(name, devices[i].name) == 0 || strcmp(name, devices[i].name + 3) == 0 ||
            strcmp(name, dotted) == 0)
            return &devices[i];
    }
    return NULL;
}

const char *device_rules(const struct device *device)
{
    if (device->uncertain)
        return "rules assumed: verified on sm_90 only; some of its limits are unconfirmed";
    return device->verified ? "rules verified against hardware counters"
                            : "rules assumed: verified on sm_90 only";
}

const char *device_rules_word(const struct device *device)
{
    return device->verified ? "verified" : "assumed";
}
