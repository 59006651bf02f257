/* terminal_types.h - descriptions of common terminals, for machines that have no terminfo: a container, an
 * empty root with the static program in it.
 *
 * Made by embed_terminfo.sh when the program is built.
 */
#ifndef LANESCOPE_TUI_TERMINAL_TYPES_H
#define LANESCOPE_TUI_TERMINAL_TYPES_H

struct terminal_type {
    const char *name;        /* as in TERM; NULL ends the list */
    const char *description; /* as ncurses takes it in TERMINFO: "b64:..." */
};

extern const struct terminal_type terminal_types[];

#endif
