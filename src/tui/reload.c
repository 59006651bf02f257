#include "reload.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "edit.h"
#include "pane.h"

static uint64_t extent_of(const struct finding *finding)
{
    return finding->cells ? finding->cells : finding->lanes ? finding->lanes : 1;
}

static const char *name_of(enum finding_kind kind)
{
    return kind == FINDING_WRONG         ? "wrong"
           : kind == FINDING_MISSING     ? "missing"
           : kind == FINDING_SHARED_RACE ? "in a race"
                                         : finding_title(kind);
}

/* What is known of a side, to be held against what comes. */
static void note(struct past *past, const struct side *side)
{
    const struct verdict *verdict = &side->verdict;
    const struct summary summary = session_summary(side->session);
    *past = (struct past){.pending = true, .counted = session_is_counted(side->session)};
    past->judged = side->has_verdict && verdict->finished;
    for (size_t i = 0; past->judged && i < verdict_count(verdict) && past->count < PAST_FAULTS; i++) {
        const struct finding *finding = verdict_finding(verdict, i);
        if (verdict_leads(finding))
            past->faults[past->count++] =
                (struct past_fault){finding->kind, finding->line, extent_of(finding)};
    }
    for (int kind = 0; kind < ACCESS_KINDS; kind++)
        past->units[access_kinds[kind].space == SPACE_SHARED] += summary.of[kind].units;
}

static bool reads_file(const struct state *state, const struct side *side)
{
    const char *bytes = side->session->scenario.text.bytes;
    return bytes == state->file.bytes || (side->text && bytes == side->text);
}

/* There is nothing yet that the text could be put in the place of: it is shown, whatever it is. */
static void reload_first(struct state *state, const struct source *text)
{
    struct problem problem = {0};
    state->file = *text;
    state->first_text = text->bytes;
    state->broken = (struct problem){0};
    if (state_open_side(state, text->name, text, &problem))
        state_say(state, false, "read again: now it runs");
    else
        state_break(state, &problem);
    state_fit(state);
}

bool reload_text(struct state *state, const struct source *text)
{
    if (!state->sides) {
        reload_first(state, text);
        return true;
    }
    struct past past;
    bool any = false, ok = true;
    int active = state->active;
    note(&past, state_side(state));
    state->broken = (struct problem){0};
    for (int i = 0; ok && i < state->sides; i++) {
        if (!reads_file(state, &state->side[i]))
            continue;
        any = any || i == active;
        state->active = i;
        ok = edit_text(state, text, &state->broken);
    }
    state->active = active;
    if (!ok) {
        state_fit(state);
        return false;
    }
    if (state->first_text == state->file.bytes)
        state->first_text = text->bytes;
    state->file = *text;
    state->past = any ? past : (struct past){.pending = false};
    state_say(state, false, any ? "read again" : "the file was read again; ] and [ go to it");
    state_fit(state);
    return true;
}

struct news {
    char text[PROBLEM_MESSAGE_SIZE];
    size_t used;
};

static void tell(struct news *news, int line, uint64_t before, const char *what, uint64_t after)
{
    char old[24], fresh[24], where[32] = "";
    pane_count(old, sizeof old, before, 20);
    pane_count(fresh, sizeof fresh, after, 20);
    if (line)
        (void)snprintf(where, sizeof where, "line %d: ", line);
    int wanted = snprintf(news->text + news->used, sizeof news->text - news->used, "%s%s%s %s -> %s",
                          news->used ? ", " : "read again. ", where, old, what, fresh);
    if (wanted > 0 && (size_t)wanted < sizeof news->text - news->used)
        news->used += (size_t)wanted;
}

/* What a fault has become: the first of its kind that was not taken yet. */
static const struct finding *partner_of(const struct verdict *verdict, const struct past_fault *fault,
                                        uint64_t *taken)
{
    for (size_t i = 0; i < verdict_count(verdict) && i < 64; i++) {
        const struct finding *finding = verdict_finding(verdict, i);
        if (!verdict_leads(finding) || finding->kind != fault->kind || *taken >> i & 1)
            continue;
        *taken |= UINT64_C(1) << i;
        return finding;
    }
    return NULL;
}

static void tell_faults(struct news *news, const struct past *past, const struct verdict *verdict)
{
    uint64_t taken = 0;
    for (unsigned i = 0; i < past->count; i++) {
        const struct past_fault *fault = &past->faults[i];
        const struct finding *now = partner_of(verdict, fault, &taken);
        uint64_t after = now ? extent_of(now) : 0;
        if (after != fault->extent)
            tell(news, fault->line, fault->extent, name_of(fault->kind), after);
    }
    for (size_t i = 0; i < verdict_count(verdict) && i < 64; i++) {
        const struct finding *finding = verdict_finding(verdict, i);
        if (verdict_leads(finding) && !(taken >> i & 1))
            tell(news, finding->line, 0, name_of(finding->kind), extent_of(finding));
    }
}

void reload_tell(struct state *state)
{
    struct past *past = &state->past;
    const struct side *side = state_side(state);
    if (!past->pending || !session_is_counted(side->session) || !side->has_verdict || !side->verdict.finished)
        return;
    struct news news = {.used = 0};
    const struct summary summary = session_summary(side->session);
    uint64_t units[2] = {0, 0};
    for (int kind = 0; kind < ACCESS_KINDS; kind++)
        units[access_kinds[kind].space == SPACE_SHARED] += summary.of[kind].units;
    if (past->judged)
        tell_faults(&news, past, &side->verdict);
    for (int shared = 0; past->counted && shared < 2; shared++)
        if (units[shared] != past->units[shared])
            tell(&news, 0, past->units[shared], shared ? "wavefronts" : "sectors", units[shared]);
    state_say(state, false, news.used ? news.text : "read again: the same verdict, the same totals");
    past->pending = false;
}
