/* include_files.h - the texts behind #include "file": beside the text that includes it, or in a folder of -I.
 *
 * Only files are read that the text names in quotes, and only by relative names. A file is read once and kept
 * until the end. One that cannot be read, or is larger than a text may be (token.h), is as if it were not
 * there.
 */
#ifndef LANESCOPE_INCLUDE_FILES_H
#define LANESCOPE_INCLUDE_FILES_H

#include "../sim/lang/token.h"

struct include_file;

struct include_files {
    struct include_reader reader; /* scenario_options.includes */
    struct include_file *files;
    const char *const *folders; /* of -I; not owned */
    unsigned folder_count;
};

/* Fills the reader, which points back at `files`: call where it stays. */
void include_files_begin(struct include_files *files);
void include_files_end(struct include_files *files);

#endif
