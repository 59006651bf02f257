/* accesses_measure.c - single accesses on the device, and what the counters say of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/model/bank.h"
#include "../sim/model/sector.h"
#include "accesses.h"

void access_kernel_text(enum memory_space space, enum access_op op, unsigned bytes, char *out, size_t size)
{
    static const struct {
        const char *type, *suffix, *letter, *operands, *list;
    } widths[] = {{"unsigned", "u8", "r", "v", "%0"},
                  {"unsigned short", "u16", "h", "v", "%0"},
                  {"unsigned", "u32", "r", "v", "%0"},
                  {"unsigned long long", "u64", "l", "v", "%0"},
                  {"uint4", "v4.u32", "r", "", "{%0,%1,%2,%3}"}};
    unsigned w = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4;
    bool shared = space == SPACE_SHARED, load = op == ACCESS_LOAD, wide = w == 4;
    char names[80], list[40], code[200];
    const char *pre = load ? "=" : "";
    if (wide)
        (void)snprintf(names, sizeof names, "\"%sr\"(v.x), \"%sr\"(v.y), \"%sr\"(v.z), \"%sr\"(v.w)", pre,
                       pre, pre, pre);
    else
        (void)snprintf(names, sizeof names, "\"%s%s\"(v)", pre, widths[w].letter);
    (void)snprintf(list, sizeof list, "%s", widths[w].list);
    if (load)
        (void)snprintf(code, sizeof code,
                       "asm volatile(\"ld.%s.%s %s, [%%%d];\" : %s : \"l\"(at) : \"memory\");",
                       shared ? "shared" : "global", widths[w].suffix, list, wide ? 4 : 1, names);
    else
        (void)snprintf(code, sizeof code,
                       "asm volatile(\"st.%s.%s [%%%d], %s;\" : : %s, \"l\"(at) : \"memory\");",
                       shared ? "shared" : "global", widths[w].suffix, wide ? 4 : 1, list, names);
    (void)snprintf(
        out, size,
        "struct offsets { unsigned long long at[32]; };\n"
        "extern __shared__ __align__(256) unsigned char tile[];\n"
        "extern \"C\" __global__ void access(const __grid_constant__ offsets offsets, unsigned mask,\n"
        "                                  unsigned char *buffer, %s *sink)\n"
        "{\n"
        "    if (!(mask >> threadIdx.x & 1))\n"
        "        return;\n"
        "    const unsigned long long at = offsets.at[threadIdx.x] + %s;\n"
        "    %s v = {};\n"
        "    %s\n"
        "    %s\n"
        "}\n",
        widths[w].type, shared ? "__cvta_generic_to_shared(tile)" : "(unsigned long long)buffer",
        widths[w].type, code, load ? "sink[threadIdx.x] = v;" : "");
}

static unsigned kind_of(const struct single_access *access)
{
    unsigned width = (unsigned)__builtin_ctz(access->bytes);
    return (access->space == SPACE_SHARED) * 10u + (access->op == ACCESS_STORE) * 5u + width;
}

enum { KINDS = 20 };

static bool compile_kind(struct confirmer *c, const struct single_access *access, struct gpu_kernel *kernel,
                         struct problem *problem)
{
    char bytes[1500];
    access_kernel_text(access->space, access->op, access->bytes, bytes, sizeof bytes);
    struct source text = {"access.cu", bytes, strlen(bytes)};
    struct compilation task = {.text = &text, .kernel = "access"};
    return confirmer_compile(c, &task, kernel, problem);
}

static bool launch_one(struct confirmer *c, const struct single_access *access,
                       const struct gpu_kernel *kernel, uint64_t buffer, uint64_t sink,
                       struct problem *problem)
{
    struct launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    uint64_t offsets[32];
    uint32_t mask = access->mask;
    void *arguments[] = {offsets, &mask, &buffer, &sink};
    memcpy(offsets, access->offsets, sizeof offsets);
    if (access->space == SPACE_SHARED)
        launch.dynamic_shared_bytes = ACCESSES_SHARED_LIMIT - 1024; /* 256-byte alignment may take some */
    return gpu_launch(c->gpu, kernel, &launch, arguments, problem);
}

bool access_list_launch(struct confirmer *c, const struct access_list *accesses, struct problem *problem)
{
    struct gpu_kernel kernels[KINDS] = {{0}};
    uint64_t buffer = 0, sink = 0;
    bool ok = gpu_take(c->gpu, ACCESSES_GLOBAL_LIMIT, &buffer, problem) &&
              gpu_take(c->gpu, 32 * 16, &sink, problem);
    for (size_t i = 0; ok && i < accesses->count; i++) {
        const struct single_access *access = &accesses->list[i];
        struct gpu_kernel *kernel = &kernels[kind_of(access)];
        ok = (kernel->function || compile_kind(c, access, kernel, problem)) &&
             launch_one(c, access, kernel, buffer, sink, problem);
    }
    for (unsigned i = 0; i < KINDS; i++)
        gpu_unload(c->gpu, &kernels[i]);
    gpu_give(c->gpu, buffer);
    gpu_give(c->gpu, sink);
    return ok;
}

/* The first of a pair is of loads, the second of stores. */
enum { WAVEFRONTS, CONFLICTS = 2, REQUESTS = 4, SECTORS = 6, COUNTERS = 8 };
static const char *const counters[COUNTERS] = {
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
};

bool access_list_measure(const char *launch_only, struct counter_table *table, struct problem *problem)
{
    return counters_run(counters, COUNTERS, launch_only, table, problem);
}

struct access_verdict access_judge(const struct single_access *access, const struct counter_row *row)
{
    struct access_verdict verdict = {.predicted = {1, 0}};
    int64_t offsets[32];
    unsigned store = access->op == ACCESS_STORE,
             first = access->space == SPACE_SHARED ? WAVEFRONTS : REQUESTS;
    struct lanes lanes = {
        .lane_bytes = access->bytes, .is_load = !store, .mask = access->mask, .delta = offsets};
    for (unsigned lane = 0; lane < 32; lane++)
        offsets[lane] = (int64_t)access->offsets[lane];
    if (access->space == SPACE_SHARED) {
        struct bank_cost cost = bank_cost_of(&lanes);
        verdict.predicted[0] = cost.wavefronts;
        verdict.predicted[1] = cost.wavefronts - cost.ideal;
    } else {
        verdict.predicted[1] = sector_cost_of(&lanes).sectors;
    }
    for (unsigned k = 0; k < 2; k++) {
        verdict.measured[k] = row->value[first + 2 * k + store];
        verdict.differs = verdict.differs || verdict.measured[k] != verdict.predicted[k];
    }
    return verdict;
}
