/* quiet.h - the parts of a program that touch no memory and end where they end: an `if`, a loop, a switch or
 * a function in place, without an access, a barrier or a return of the kernel inside, that nothing leaves on
 * another way. If a condition in there turns out to be data, which way the lanes go makes no difference to
 * what is counted: only what is assigned inside is then data. Inside lang; exec reads program.quiets.
 */
#ifndef LANESCOPE_LANG_QUIET_H
#define LANESCOPE_LANG_QUIET_H

#include "program.h"

/* Finds, for each branch of a program of structured control, the smallest such part around it. */
void quiet_find_all(struct program *program);

#endif
