/* include_files.h - the texts behind #include: beside the text that includes it, in a folder of -I, or where
 * its project has it (include_search.h).
 *
 * Only relative names are looked for; what C++ or CUDA themselves bring (<vector>, <cuda_runtime.h>,
 * <cub/...>) only in folders of -I. A file is read once and kept until the end, and read again where it is
 * asked for after a change that include_files_renew() saw. One that cannot be read, or is larger than a text
 * may be (token.h), is as if it were not there. Limits: 256 files, 32 MiB together.
 */
#ifndef LANESCOPE_INCLUDE_FILES_H
#define LANESCOPE_INCLUDE_FILES_H

#include "../sim/lang/token.h"
#include "include_search.h"

struct include_file;

struct include_files {
    struct include_reader reader; /* scenario_options.includes */
    struct include_file *files;
    const char *const *folders; /* of -I; not owned */
    unsigned folder_count;
    unsigned count;
    size_t bytes;
    struct include_search search;
};

/* Fills the reader, which points back at `files`: call where it stays. */
void include_files_begin(struct include_files *files);
void include_files_end(struct include_files *files);

/* Looks at each file that was read. True: one of them is another by now, and is read again where it is next
 * asked for; the old text stays until the end. A NULL reader has read none. */
bool include_files_renew(const struct include_reader *reader);

/* The paths of the files that were found by search, with commas, as many as there is room for, and how many
 * more; their number. */
unsigned include_files_searched(const struct include_reader *reader, char *out, size_t size);

#endif
