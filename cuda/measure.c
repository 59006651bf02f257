#include "measure.h"

bool measurement_take(struct measurement *m, const char *launch_only, struct problem *problem)
{
    const char *names[METRIC_LIMIT];
    *m = (struct measurement){0};
    for (size_t i = 0; i < metric_count; i++)
        names[i] = metrics[i].name;
    return counters_run(names, metric_count, launch_only, &m->table, problem);
}

void measurement_free(struct measurement *m)
{
    counter_table_free(&m->table);
}

static bool predict(const struct scenario *scenario, struct launch_verdict *verdict, struct problem *problem)
{
    struct tally tally;
    tally_init(&tally, scenario->program->site_count);
    struct sink sink = {.self = &tally, .access = tally_access, .skipped = tally_skipped};
    struct execution *execution = execution_new(scenario->program, &scenario->launch, false, problem);
    bool ok =
        execution && execution_run_blocks(execution, 0, launch_blocks(&scenario->launch), &sink, problem);
    for (size_t i = 0; i < metric_count; i++)
        verdict->predicted[i] = metric_predict(&metrics[i], &tally, scenario->program);
    execution_free(execution);
    tally_free(&tally);
    return ok;
}

static void judge(struct measurement *m, unsigned elem_bytes, struct launch_verdict *verdict)
{
    bool differs = false, overruled = false;
    for (size_t i = 0; i < metric_count; i++) {
        struct metric_account *account = &m->accounts[i];
        struct judged judged = counter_judge(i, &verdict->predicted[i], verdict->measured, elem_bytes);
        verdict->judged[i] = judged;
        account->launches++;
        account->verdicts[judged.verdict]++;
        differs = differs || judged.differs;
        overruled = overruled || judged.verdict == VERDICT_OVERRULED;
        if (judged.verdict == VERDICT_ABSENT || judged.verdict == VERDICT_OVERRULED)
            continue;
        account->predicted += verdict->predicted[i].value;
        account->measured += verdict->measured->value[i];
    }
    m->differing += differs;
    m->overruled += overruled;
}

bool measurement_judge(struct measurement *m, const struct configuration *configuration, size_t index,
                       const struct device *device, struct launch_verdict *verdict, struct problem *problem)
{
    struct scenario scenario;
    *verdict = (struct launch_verdict){.measured = &m->table.rows[index]};
    if (!configuration_open(configuration, device, &scenario, problem))
        return false;
    bool ok = predict(&scenario, verdict, problem);
    if (ok)
        judge(m, scenario.elem_bytes, verdict);
    scenario_close(&scenario);
    return ok;
}
