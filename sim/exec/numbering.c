/* numbering.c - blocks by other numbers. */
#include "numbering.h"

struct numbering numbering_of_grid(const uint32_t grid[AXES])
{
    struct numbering f = {.terms = AXES};
    for (unsigned k = 0; k < AXES; k++) {
        f.builtin[k] = k;
        f.extent[k] = grid[k];
        f.depends[k] = 1U << k;
    }
    return f;
}

/* Makes room for another axis at this place: what was there is no axis any more. */
static void set_aside(struct numbering *f, unsigned axis)
{
    unsigned term = f->terms++;
    f->extent[term] = f->extent[axis];
    for (unsigned i = 0; i < f->splits; i++) {
        struct split *s = &f->split[i];
        s->form[term] = s->form[axis];
        s->form[axis] = 0;
        s->quotient = s->quotient == axis ? term : s->quotient;
        s->rest = s->rest == axis ? term : s->rest;
        s->replaced |= s->replaced >> axis & 1 ? 1U << term : 0;
        s->replaced &= ~(1U << axis);
    }
    for (unsigned k = 0; k < AXES; k++)
        f->builtin[k] = f->builtin[k] == axis ? term : f->builtin[k];
}

/* Terms that are no axes move with all axes that any split has touched. */
static void renew_dependence(struct numbering *f)
{
    unsigned all = 0;
    for (unsigned i = 0; i < f->splits; i++) {
        const struct split *s = &f->split[i];
        for (unsigned t = 0; t < AXES; t++)
            if (s->form[t] || s->quotient == t || s->rest == t)
                all |= 1U << t;
    }
    for (unsigned t = AXES; t < f->terms; t++)
        f->depends[t] = all;
}

/* The axes that move, the one with the smallest step first. 0: there are others, or not all blocks of one. */
static unsigned moving_axes(const struct numbering *f, const struct region *region, const struct slope *slope,
                            unsigned axes[AXES])
{
    unsigned count = 0;
    if (region_is_banded(region) || numbering_is_bent(f, region, slope))
        return 0;
    for (unsigned k = 0; k < AXES; k++) {
        const struct axis *axis = &region->axis[k];
        unsigned at = count;
        if (axis->count == 1 || !slope->at[k])
            continue;
        if (axis->first || axis->step != 1 || axis->count != f->extent[k])
            return 0;
        for (; at && slope->at[axes[at - 1]] > slope->at[k]; at--)
            axes[at] = axes[at - 1];
        axes[at] = k;
        count++;
    }
    return count;
}

/* How many values in a row the form has, each once; 0: it does not. */
static uint64_t values_in_a_row(const struct numbering *f, const struct slope *slope,
                                const unsigned axes[AXES], unsigned count)
{
    uint64_t values = 1;
    for (unsigned i = 0; i < count; i++)
        if (slope->at[axes[i]] != (int64_t)values ||
            __builtin_mul_overflow(values, f->extent[axes[i]], &values) || values > INT64_MAX)
            return 0;
    return values;
}

/* Quotient and rest in place of axes whose blocks the form numbers. */
static bool split_numbers(struct numbering *f, struct split *s, const unsigned axes[AXES], unsigned count,
                          uint64_t values)
{
    uint64_t divisor = (uint64_t)s->divisor, quotients = (values - 1) / divisor + 1;
    unsigned into[2] = {axes[0], count > 1 ? axes[1] : AXES};
    for (unsigned k = 0; k < AXES && count == 1; k++)
        if (k != axes[0] && f->extent[k] == 1)
            into[1] = k;
    if (into[1] == AXES || divisor > UINT32_MAX || quotients > UINT32_MAX || f->terms + count + 1 > TERMS)
        return false;
    if (count == 1)
        set_aside(f, into[1]);
    for (unsigned i = 0; i < count; i++) {
        s->replaced |= 1U << f->terms;
        s->form[f->terms] = s->form[axes[i]];
        s->form[axes[i]] = 0;
        set_aside(f, axes[i]);
        f->extent[axes[i]] = 1;
    }
    s->rest = into[0];
    s->quotient = into[1];
    f->extent[s->rest] = divisor;
    f->extent[s->quotient] = quotients;
    f->tail = values % divisor;
    return true;
}

/* The rest in place of an axis that it goes round with. */
static bool split_circle(struct numbering *f, struct split *s, const unsigned axes[AXES], unsigned count)
{
    int128 most = s->base, least = s->base;
    unsigned axis = AXES;
    for (unsigned i = 0; i < count; i++) {
        int64_t slope = s->form[axes[i]];
        int128 end = (int128)slope * (int128)(f->extent[axes[i]] - 1);
        most += end > 0 ? end : 0;
        least += end < 0 ? end : 0;
        if ((slope == 1 || slope == -1) && f->extent[axes[i]] == (uint64_t)s->divisor)
            axis = axes[i];
    }
    if (axis == AXES || least < 0 || most > INT64_MAX || f->terms + 2 > TERMS)
        return false;
    s->goes_round = true;
    s->replaced = 1U << f->terms;
    s->form[f->terms] = s->form[axis];
    s->form[axis] = 0;
    set_aside(f, axis);
    s->rest = axis;
    s->quotient = f->terms++;
    f->extent[s->quotient] = (uint64_t)(most / s->divisor) + 1;
    return true;
}

bool numbering_split(struct numbering *numbering, const struct region *region, const struct slope *slope,
                     int128 base, int128 divisor)
{
    struct numbering f = *numbering;
    unsigned axes[AXES], count = moving_axes(numbering, region, slope, axes);
    if (!count || f.splits == SPLITS || f.tail || base < 0 || base > INT64_MAX || divisor < 2 ||
        divisor > INT64_MAX)
        return false;
    struct split s = {.base = (int64_t)base, .divisor = (int64_t)divisor};
    for (unsigned i = 0; i < count; i++)
        s.form[axes[i]] = slope->at[axes[i]];
    uint64_t values = values_in_a_row(&f, slope, axes, count);
    if (!(values > (uint64_t)divisor && base == 0 && split_numbers(&f, &s, axes, count, values)) &&
        !split_circle(&f, &s, axes, count))
        return false;
    f.split[f.splits++] = s;
    renew_dependence(&f);
    *numbering = f;
    return true;
}

unsigned numbering_start(const struct numbering *numbering, struct region start[2])
{
    struct region whole = {0};
    for (int k = 0; k < AXES; k++)
        whole.axis[k] = (struct axis){0, 1, (uint32_t)numbering->extent[k]};
    start[0] = start[1] = whole;
    if (!numbering->tail)
        return 1;
    const struct split *last = &numbering->split[numbering->splits - 1];
    start[0].axis[last->quotient].count--;
    start[1].axis[last->quotient] = (struct axis){start[0].axis[last->quotient].count, 1, 1};
    start[1].axis[last->rest].count = (uint32_t)numbering->tail;
    return 2;
}

/* The replaced terms of a split, from the others. */
static void undo(const struct split *s, int128 value[TERMS])
{
    int128 others = s->base, left;
    for (unsigned t = 0; t < TERMS; t++)
        others += s->replaced >> t & 1 ? 0 : value[t] * s->form[t];
    for (unsigned t = 0; t < TERMS && s->goes_round; t++)
        if (s->replaced >> t & 1) {
            left = s->form[t] * (value[s->rest] - others) % s->divisor; /* the form has 1 or -1 of it */
            value[t] = left < 0 ? left + s->divisor : left;
            return;
        }
    left = s->divisor * value[s->quotient] + value[s->rest] - others;
    for (unsigned to_do = s->replaced; to_do;) {
        unsigned largest = (unsigned)__builtin_ctz(to_do);
        for (unsigned t = 0; t < TERMS; t++)
            if (to_do >> t & 1 && s->form[t] > s->form[largest])
                largest = t;
        value[largest] = left / s->form[largest];
        left %= s->form[largest];
        to_do &= ~(1U << largest);
    }
}

void numbering_terms(const struct numbering *numbering, const uint32_t at[AXES], int64_t value[TERMS])
{
    int128 exact[TERMS] = {at[0], at[1], at[2]};
    for (unsigned i = numbering->splits; i--;) {
        const struct split *s = &numbering->split[i];
        int128 form = s->base;
        undo(s, exact);
        for (unsigned t = 0; t < TERMS; t++)
            form += exact[t] * s->form[t];
        if (s->goes_round)
            exact[s->quotient] = (form - exact[s->rest]) / s->divisor;
    }
    for (unsigned t = 0; t < TERMS; t++)
        value[t] = (int64_t)exact[t];
}

void numbering_block(const struct numbering *numbering, const uint32_t at[AXES], uint32_t block[AXES])
{
    int64_t value[TERMS];
    numbering_terms(numbering, at, value);
    for (unsigned k = 0; k < AXES; k++)
        block[k] = (uint32_t)value[numbering->builtin[k]];
}

static int64_t step_of(const struct region *region, unsigned term)
{
    return term < AXES ? region->axis[term].step : 1;
}

/* How many times the split's form there is in a slope. 0: it is not that. */
static int64_t times_in(const struct split *s, const struct region *region, const struct slope *slope)
{
    int64_t times = 0;
    for (unsigned t = TERMS; t--;) { /* what was replaced first */
        int64_t each = s->form[t];
        bool replaced = s->replaced >> t & 1, still = t < AXES && region->axis[t].count == 1;
        if (!each || (still && !replaced))
            continue;
        if (replaced && !times)
            times = slope->at[t] % each ? 0 : slope->at[t] / each;
        if (!times || (s->goes_round && times != 1 && times != -1) ||
            (int128)times * each * step_of(region, t) != slope->at[t])
            return 0;
    }
    return times;
}

static bool add_times(struct slope *slope, unsigned term, const struct region *region, int64_t times,
                      int64_t each)
{
    int64_t more;
    return !__builtin_mul_overflow(times, each, &more) &&
           !__builtin_mul_overflow(more, step_of(region, term), &more) &&
           !__builtin_add_overflow(slope->at[term], more, &slope->at[term]);
}

void numbering_resolve(const struct numbering *numbering, const struct region *region, struct slope *slope)
{
    for (unsigned i = 0; i < numbering->splits; i++) {
        const struct split *s = &numbering->split[i];
        int64_t times = times_in(s, region, slope);
        struct slope changed = *slope;
        bool fits = times != 0 && times != INT64_MIN;
        for (unsigned t = 0; t < TERMS && fits; t++)
            if (s->replaced >> t & 1)
                changed.at[t] = 0;
            else
                fits = add_times(&changed, t, region, -times, s->form[t]);
        if (fits && add_times(&changed, s->quotient, region, times, s->divisor) &&
            add_times(&changed, s->rest, region, times, 1))
            *slope = changed;
    }
}

bool numbering_is_bent(const struct numbering *numbering, const struct region *region,
                       const struct slope *slope)
{
    for (unsigned t = AXES; t < numbering->terms; t++) {
        if (!slope->at[t])
            continue;
        for (unsigned k = 0; k < AXES; k++)
            if (numbering->depends[t] >> k & 1 && region->axis[k].count > 1)
                return true;
    }
    return false;
}
