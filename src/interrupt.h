/* interrupt.h - Ctrl-C as a question, while there is something to say of what is known so far.
 *
 * From interrupt_begin() to interrupt_end() the first SIGINT is only noted; whoever works asks
 * interrupt_asked() between two pieces and ends early. A second one does what it did before: it ends the
 * program. A SIGINT that the program was started to ignore stays ignored. Any thread may ask.
 */
#ifndef LANESCOPE_INTERRUPT_H
#define LANESCOPE_INTERRUPT_H

#include <stdbool.h>

void interrupt_begin(void); /* nothing was asked so far */
bool interrupt_asked(void);
void interrupt_end(void); /* interrupt_asked() keeps its answer */

#endif
