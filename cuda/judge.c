#include "judge.h"

#include <string.h>

static bool is_overruled(size_t metric, uint64_t predicted, const struct counter_row *row,
                         unsigned elem_bytes)
{
    static const char patched[] = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    static const char hardware[] = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    const struct metric *own = metric_find(hardware, sizeof hardware - 1);
    return strcmp(metrics[metric].name, patched) == 0 && elem_bytes >= 8 && own &&
           row->value[own - metrics] == predicted;
}

struct judged counter_judge(size_t metric, const struct prediction *predicted, const struct counter_row *row,
                            unsigned elem_bytes)
{
    uint64_t measured = row->value[metric];
    struct judged judged = {VERDICT_EQUAL, false};
    if (measured == COUNTER_ABSENT) {
        judged.verdict = VERDICT_ABSENT;
        return judged;
    }
    judged.differs = !metric_agrees(&metrics[metric], predicted, measured);
    if (judged.differs && is_overruled(metric, predicted->value, row, elem_bytes))
        return (struct judged){VERDICT_OVERRULED, false};
    if (measured != predicted->value)
        judged.verdict = measured > predicted->value ? VERDICT_ABOVE : VERDICT_BELOW;
    return judged;
}
