#include "access_case.h"

#include <inttypes.h>
#include <string.h>

#include "../../sim/count/tally.h"

struct taker {
    struct warp_access *out;
    bool taken;
};

static void take_access(void *self, const struct access *access)
{
    struct taker *taker = self;
    if (taker->taken || access->warp)
        return;
    taker->out->lanes = access_lanes(access);
    for (unsigned lane = 0; lane < 32; lane++)
        taker->out->delta[lane] = access_offset(access, lane);
    taker->out->lanes.base = 0;
    taker->out->lanes.delta = taker->out->delta;
    taker->taken = true;
}

static bool run(const struct program *program, const struct access_case *access, struct taker *taker,
                struct problem *problem)
{
    struct launch launch = {.grid = {1, 1, 1},
                            .block = {access->block[0], access->block[1], 1},
                            .dynamic_shared_bytes = access->space == SPACE_SHARED ? 16 : 0};
    const uint32_t first[3] = {0, 0, 0};
    launch.arguments[0].bytes = UINT64_C(1) << 40;
    struct sink sink = {.self = taker, .access = take_access, .stop = &taker->taken};
    struct execution *execution = execution_new(program, &launch, false, problem);
    bool ran = execution && (execution_run_block(execution, first, &sink, problem) || taker->taken);
    execution_free(execution);
    return ran && taker->taken;
}

bool access_case_run(const struct access_case *access, struct warp_access *out, struct problem *problem)
{
    const struct source nothing = {"nothing", "", 0}, index = {"index", access->index, strlen(access->index)};
    const struct probe probe = {.index = &index,
                                .space = access->space,
                                .op = access->op,
                                .lane_bytes = access->lane_bytes,
                                .index_bytes = access->lane_bytes,
                                .base_bytes = access->base};
    struct taker taker = {.out = out};
    struct unit *unit = unit_open(&nothing, NULL, 0, problem);
    const struct program *program = unit ? unit_compile_probe(unit, &probe, problem) : NULL;
    bool fine = program && run(program, access, &taker, problem);
    unit_close(unit);
    return fine;
}

void access_case_say(const struct access_case *access, struct words *words)
{
    bool shared = access->space == SPACE_SHARED, load = access->op == ACCESS_LOAD;
    words_say(words,
              "The first warp of a %" PRIu32 " x %" PRIu32 " block %s `%s[%s]` %s %s memory, elements of %u "
              "byte%s.",
              access->block[0], access->block[1], load ? "loads" : "stores to", shared ? "s" : "g",
              access->index, load ? "from" : "in", shared ? "shared" : "global", access->lane_bytes,
              access->lane_bytes == 1 ? "" : "s");
    if (!shared)
        words_say(words, " g[0] stands %" PRIu32 " bytes behind a multiple of 128.", access->base);
    else
        words_say(words, " s[0] is in bank 0.");
}

void access_case_command(const struct access_case *access, struct words *words)
{
    words_say(words, "lanescope probe '%s' --space %s --op %s --lane-bytes %u --block %" PRIu32 "x%" PRIu32,
              access->index, access->space == SPACE_SHARED ? "shared" : "global",
              access->op == ACCESS_LOAD ? "load" : "store", access->lane_bytes, access->block[0],
              access->block[1]);
    if (access->base)
        words_say(words, " --base %" PRIu32, access->base);
}

void access_case_say_lanes(const struct warp_access *access, const char *name, int64_t unit, unsigned modulus,
                           struct words *words)
{
    static const unsigned shown[] = {0, 1, 2, 16, 31};
    for (unsigned i = 0; i < sizeof shown / sizeof *shown; i++) {
        int64_t byte = access->delta[shown[i]], at = unit_of(byte, unit);
        words_say(words, "%slane %u: byte %" PRId64 ", %s %" PRId64, i ? "; " : "", shown[i], byte, name,
                  modulus ? at % modulus : at);
    }
}
