/* modular.h - the arithmetic behind banks, as a small laboratory: which residues k * a mod m reaches.
 *
 * With m banks and a step of a words, lane k lands in bank k * a mod m. The residues repeat with the period
 * m / gcd(a, m); 32 banks and a step of 32 words have period 1 (one bank serves everyone), a step of 33 has
 * period 32 (every bank serves one). The learner predicts the period; only then does the laboratory run, and
 * only when it has come round is the period said.
 *
 * All functions are pure but for the struct they are given. Limits: m is 1 to LAB_MODULUS_LIMIT, a is 0 to
 * LAB_STRIDE_LIMIT.
 */
#ifndef LANESCOPE_TUI_MODULAR_H
#define LANESCOPE_TUI_MODULAR_H

#include "canvas.h"

#define LAB_MODULUS_LIMIT 128u
#define LAB_STRIDE_LIMIT  1024u

struct lab {
    unsigned modulus, stride;
    unsigned shown;      /* residues shown so far, 0 to the period */
    bool predicted;      /* the learner has answered */
    unsigned prediction; /* the answer */
    char typed[8];       /* the answer while it is typed */
    bool playing;
};

unsigned lab_period(unsigned modulus, unsigned stride); /* m / gcd(a, m) */
unsigned lab_residue(const struct lab *lab, unsigned k);
bool lab_is_revealed(const struct lab *lab);

void lab_reset(struct lab *lab, unsigned modulus, unsigned stride);
bool lab_step(struct lab *lab); /* one residue more; false if there is none, or no prediction yet */
bool lab_step_back(struct lab *lab);
void lab_answer(struct lab *lab); /* takes what was typed; nothing typed is no answer */
void lab_type(struct lab *lab, char digit);
void lab_next_example(struct lab *lab); /* the next of the story's pairs (m, a) */

void lab_draw(struct canvas *canvas, const struct rect *area, const struct lab *lab);

#endif
