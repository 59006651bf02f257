/* include_search.h - where a header may lie that stands neither beside its text nor in a folder of -I.
 *
 * The text's project is looked through, the text's own folder first, then the folder around it, and so on up
 * to the project's root: a file whose path ends in the header's name. Of several the one that shares most
 * folders with the text that asks is taken, of these one directly below or in a usual place (include, src,
 * common, ...), of these the one with the shortest path; where that still leaves two, none is.
 *
 * The root is the nearest folder with a .git; where there is none, the highest one, of at most SEARCH_LEVELS
 * above the text, that looks like a project's (a README, LICENSE, Makefile, src, include, sources). It is
 * never the root of the file system, a folder that others may write to, the user's home, or a folder of
 * another owner than the text's. Without a root nothing is looked through.
 *
 * Symbolic links are not followed, hidden folders not entered. Limits: SEARCH_ENTRIES names of files and
 * folders are looked at, in folders at most SEARCH_DEPTH deep below where the search began;
 * SEARCH_NAMES names are looked for.
 */
#ifndef LANESCOPE_INCLUDE_SEARCH_H
#define LANESCOPE_INCLUDE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SEARCH_LEVELS = 10,
    SEARCH_ENTRIES = 60000,
    SEARCH_DEPTH = 16,
    SEARCH_PATH = 1024,
    SEARCH_NAMES = 512
};

struct include_search {
    bool is_begun;
    char prefix[SEARCH_PATH]; /* how the user names the first text's folder, ending in / ; "" for the current
                                 one */
    char root[SEARCH_PATH];   /* the project's, without symbolic links, ending in /; "" where there is none */
    char folder[SEARCH_PATH]; /* of the first text below the root, ending in / or empty */
    size_t walked; /* bytes of `folder` whose subtree is looked through; more than it has: none yet */
    char **paths;  /* of headers, below the root */
    size_t count;
    unsigned entries, names; /* looked at; asked for */
};

/* `from` is the path of the text that includes `name`; the first call says where the search starts. The path
 * is relative to where `from` is. False: nothing is found, or several that are equally good. */
bool include_search_find(struct include_search *search, const char *name, const char *from,
                         char path[SEARCH_PATH]);
void include_search_end(struct include_search *search);

#endif
