/* exit_code.h - what the program's end tells a script: the codes of grep and diff, and one for a missing
 * device.
 *
 * A command returns one of these. Where it fills a problem, main decides by the problem's kind: a kernel that
 * is faulty is an answer, everything else is trouble.
 */
#ifndef LANESCOPE_EXIT_CODE_H
#define LANESCOPE_EXIT_CODE_H

enum exit_code {
    EXIT_FINE = 0,
    EXIT_NO = 1, /* the answer is no: something differs, the kernel is faulty */
    EXIT_TROUBLE =
        2, /* no answer: usage, input that is unreadable or unsupported, reading or writing failed */
    EXIT_ABSENT = 3,        /* no device, or built without it */
    EXIT_INTERRUPTED = 130, /* by Ctrl-C: what was known so far is printed, marked as partial. 128 + SIGINT,
                               as a shell says of a program that SIGINT ends */
};

#define EXIT_CODES_HELP                                                                                      \
    "Exit codes: 0 fine; 1 the answer is no (something differs, the kernel is faulty); 2 trouble (usage,\n"  \
    "unreadable or unsupported input, reading or writing failed); 3 no device; 130 interrupted by Ctrl-C.\n"

#endif
