#include "metric.h"

#include <string.h>

const struct metric metrics[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", JUDGE_EQUAL, METRIC_REQUESTS, GLOBAL_LOAD},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", JUDGE_EQUAL, METRIC_UNITS, GLOBAL_LOAD},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", JUDGE_EQUAL, METRIC_REQUESTS, GLOBAL_STORE},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", JUDGE_EQUAL, METRIC_UNITS, GLOBAL_STORE},
    {"smsp__inst_executed_op_shared_ld.sum", JUDGE_ISSUED, METRIC_REQUESTS, SHARED_LOAD},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", JUDGE_EQUAL, METRIC_UNITS,
     SHARED_LOAD},
    {"smsp__inst_executed_op_shared_st.sum", JUDGE_ISSUED, METRIC_REQUESTS, SHARED_STORE},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", JUDGE_EQUAL, METRIC_UNITS,
     SHARED_STORE},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", JUDGE_AT_LEAST, METRIC_UNITS, SHARED_LOAD},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", JUDGE_AT_LEAST, METRIC_CONFLICTS,
     SHARED_LOAD},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", JUDGE_AT_LEAST, METRIC_UNITS, SHARED_STORE},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", JUDGE_AT_LEAST, METRIC_CONFLICTS,
     SHARED_STORE},
    {"lts__t_sectors_srcunit_tex_op_read.sum", JUDGE_SHOWN, METRIC_NONE, GLOBAL_LOAD},
    {"lts__t_sectors_srcunit_tex_op_write.sum", JUDGE_SHOWN, METRIC_NONE, GLOBAL_STORE},
    {"dram__bytes_read.sum", JUDGE_SHOWN, METRIC_NONE, GLOBAL_LOAD},
    {"dram__bytes_write.sum", JUDGE_SHOWN, METRIC_NONE, GLOBAL_STORE},
};

const size_t metric_count = sizeof metrics / sizeof *metrics;

const struct metric *metric_find(const char *name, size_t length)
{
    for (size_t i = 0; i < metric_count; i++)
        if (strlen(metrics[i].name) == length && memcmp(metrics[i].name, name, length) == 0)
            return &metrics[i];
    return NULL;
}

uint64_t metric_value(const struct metric *metric, const struct site_tally *sum)
{
    switch (metric->kind) {
    case METRIC_REQUESTS:
        return sum->requests;
    case METRIC_UNITS:
        return sum->units;
    case METRIC_CONFLICTS:
        return sum->units - sum->ideal;
    case METRIC_NONE:
        break;
    }
    return 0;
}

struct prediction metric_predict(const struct metric *metric, const struct tally *tally,
                                 const struct program *program)
{
    struct site_tally sum = tally_sum(tally, program, metric->of);
    struct prediction prediction = {.value = metric_value(metric, &sum)};
    prediction.most = prediction.value + (metric->judgement == JUDGE_ISSUED ? sum.skipped : 0);
    return prediction;
}

bool metric_agrees(const struct metric *metric, const struct prediction *prediction, uint64_t measured)
{
    switch (metric->judgement) {
    case JUDGE_EQUAL:
    case JUDGE_ISSUED:
        return measured >= prediction->value && measured <= prediction->most;
    case JUDGE_AT_LEAST:
        return measured >= prediction->value;
    case JUDGE_SHOWN:
        break;
    }
    return true;
}
