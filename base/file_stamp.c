#include "file_stamp.h"

#include <sys/stat.h>

bool file_stamp_renew(struct file_stamp *stamp, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    const struct file_stamp now = {(int64_t)status.st_size, (int64_t)status.st_mtim.tv_sec,
                                   status.st_mtim.tv_nsec};
    bool same = now.size == stamp->size && now.second == stamp->second && now.nanosecond == stamp->nanosecond;
    *stamp = now;
    return !same;
}
