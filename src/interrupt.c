#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* What a signal's handler may touch: it has no argument to be given it by. */
static struct {
    atomic_bool asked;
    bool taken;
    struct sigaction before;
} interrupt;

static void note(int number)
{
    atomic_store(&interrupt.asked, true);
    (void)sigaction(number, &interrupt.before, NULL);
}

void interrupt_begin(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    atomic_store(&interrupt.asked, false);
    (void)sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, NULL, &interrupt.before) != 0 || interrupt.before.sa_handler == SIG_IGN)
        return;
    interrupt.taken = sigaction(SIGINT, &action, NULL) == 0;
}

bool interrupt_asked(void)
{
    return atomic_load(&interrupt.asked);
}

void interrupt_end(void)
{
    if (interrupt.taken)
        (void)sigaction(SIGINT, &interrupt.before, NULL);
    interrupt.taken = false;
}
