/* topic_period.c - the period of k * a mod m. */
#include "../../cuda/random.h"
#include "../../sim/model/residue.h"
#include "question.h"

static void explain(struct question *q, unsigned m, unsigned a)
{
    enum { SHOWN = 12 };
    unsigned period = residue_period(m, a), common = m / period;
    struct words w = question_step(q);
    words_say(&w, "The residues: ");
    for (unsigned k = 0; k <= period && k < SHOWN; k++)
        words_say(&w, "%s%u", k ? " " : "", residue_at(m, a, k));
    words_say(&w, "%s", period < SHOWN ? ": at 0 again." : " and so on.");
    w = question_step(q);
    words_say(&w, "The largest number that divides both %u and %u is %u.", a, m, common);
    w = question_step(q);
    words_say(&w, "k * %u is a multiple of %u for the first time at k = %u / %u = %u.", a, m, m, common,
              period);
    if (m == 32) {
        w = question_step(q);
        words_say(&w, "As banks: lanes %u words apart meet %u bank%s; %u lane%s of a warp share%s each.", a,
                  period, period == 1 ? "" : "s", common, common == 1 ? "" : "s", common == 1 ? "s" : "");
    }
}

bool make_period(struct question *q, struct random *random, struct problem *problem)
{
    static const unsigned moduli[] = {8, 12, 16, 18, 20, 24, 30, 32, 32, 32, 36, 40, 48, 60, 64};
    (void)problem;
    unsigned m = moduli[random_below(random, sizeof moduli / sizeof *moduli)];
    unsigned a = 2 + (unsigned)random_below(random, 99), period = residue_period(m, a);
    if ((period == m || period == 1) && random_below(random, 4) != 0)
        return false;
    struct words text = question_text(q), command = question_command(q);
    words_say(
        &text,
        "k * %u mod %u, for k = 0, 1, 2, ...: at k = 0 it is 0. At which k is it 0 for the second time?", a,
        m);
    words_say(&command, "lanescope modular -m %u -a %u", m, a);
    q->kind = ANSWER_NUMBER;
    q->least = 1;
    q->most = 128;
    (void)snprintf(q->answer, sizeof q->answer, "%u", period);
    explain(q, m, a);
    return true;
}
