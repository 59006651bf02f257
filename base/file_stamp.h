/* file_stamp.h - what tells whether a file is still the one that was read: its size and the time of its last
 * change. A file that is gone, or cannot be looked at, has no stamp.
 */
#ifndef LANESCOPE_BASE_FILE_STAMP_H
#define LANESCOPE_BASE_FILE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

struct file_stamp {
    int64_t size, second;
    long nanosecond;
};

/* Notes in *stamp what the file is now. False: there is none, or it is the same as before. */
bool file_stamp_renew(struct file_stamp *stamp, const char *path);

#endif
