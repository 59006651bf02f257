#include "pitches.h"

#include <stdlib.h>

bool pitches_begin(struct pitches *pitches, const struct session *session)
{
    *pitches = (struct pitches){.session = session, .whole = session->blocks <= PITCHES_WHOLE_BLOCKS};
    if (!repitch_find(session, NULL, &pitches->found))
        return false;
    uint64_t width = repitch_width(session, &pitches->found);
    pitches->count = width + 1 < PITCHES_LIMIT ? (unsigned)width + 1 : PITCHES_LIMIT;
    for (unsigned i = 0; i < pitches->count; i++)
        pitches->at[i].pitch = (uint32_t)width + i;
    return true;
}

static void add(struct pitch_point *point, uint64_t units, uint64_t ideal)
{
    point->units += units;
    point->ideal += ideal;
}

static void measure(const struct pitches *pitches, struct session *fresh, struct pitch_point *point)
{
    struct problem problem = {0};
    if (pitches->whole) {
        while (session_count(fresh, PITCHES_WHOLE_BLOCKS))
            ;
        point->failed = fresh->count_problem.set;
        const struct summary summary = session_summary(fresh);
        for (int kind = 0; kind < ACCESS_KINDS; kind++)
            if (access_kinds[kind].space == SPACE_SHARED)
                add(point, summary.of[kind].units, summary.of[kind].ideal);
        return;
    }
    point->failed = !session_enter(fresh, pitches->session->trace.block, &problem);
    const struct trace *trace = &fresh->trace;
    for (int kind = 0; trace->count && kind < ACCESS_KINDS; kind++)
        if (access_kinds[kind].space == SPACE_SHARED)
            add(point, trace->at[trace->count - 1].so_far[kind].units,
                trace->at[trace->count - 1].so_far[kind].ideal);
}

bool pitches_step(struct pitches *pitches)
{
    struct problem problem = {0};
    char *text;
    if (pitches->done == pitches->count)
        return false;
    struct pitch_point *point = &pitches->at[pitches->done++];
    struct session *fresh = repitch_open(pitches->session, &pitches->found, point->pitch, &text, &problem);
    point->failed = !fresh;
    if (fresh)
        measure(pitches, fresh, point);
    session_free(fresh);
    free(text);
    return pitches->done < pitches->count;
}
