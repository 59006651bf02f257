/* launch.c - what CUDA accepts as a launch. */
#include "launch.h"

static bool check(const struct launch *launch, struct problem *problem)
{
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (launch->block[i] < 1 || launch->grid[i] < 1)
            return problem_say(problem, "block and grid need at least 1 in each direction");
        if (launch->block[i] > LAUNCH_BLOCK_X_LIMIT)
            return problem_say(problem, "a block has at most 1024 threads, not %u in one direction",
                               launch->block[i]);
        threads *= launch->block[i];
    }
    if (threads > LAUNCH_BLOCK_THREADS_LIMIT)
        return problem_say(problem, "a block has at most 1024 threads, not %u x %u x %u = %llu",
                           launch->block[0], launch->block[1], launch->block[2], (unsigned long long)threads);
    if (launch->block[2] > LAUNCH_BLOCK_Z_LIMIT)
        return problem_say(problem, "a block is at most 64 deep in z, not %u", launch->block[2]);
    if (launch->grid[0] > LAUNCH_GRID_X_LIMIT || launch->grid[1] > LAUNCH_GRID_YZ_LIMIT ||
        launch->grid[2] > LAUNCH_GRID_YZ_LIMIT)
        return problem_say(
            problem,
            "a grid is at most 2147483647 x 65535 x 65535 blocks, not %u x %u x %u: CUDA refuses "
            "the launch",
            launch->grid[0], launch->grid[1], launch->grid[2]);
    return true;
}

bool launch_check(const struct launch *launch, struct problem *problem)
{
    bool fresh = !problem->set, ok = check(launch, problem);
    if (fresh && !ok)
        problem->fault = PROBLEM_FAULT_LIMIT;
    return ok;
}
