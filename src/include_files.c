#include "include_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/file_stamp.h"
#include "../base/text.h"

enum { INCLUDE_FILE_LIMIT = 256, INCLUDE_BYTES_LIMIT = 32 << 20 };

struct include_file {
    char *path;
    struct text text;
    struct file_stamp stamp;
    bool is_searched, is_old; /* old: the file has changed since; texts made with it still read it */
    struct include_file *next;
};

static struct include_file *open_file(struct include_files *files, const char *path)
{
    for (struct include_file *f = files->files; f; f = f->next)
        if (!f->is_old && strcmp(f->path, path) == 0)
            return f;
    struct problem ignored = {0};
    struct include_file *file = memory_take(1, sizeof *file);
    file->path = memory_take(strlen(path) + 1, 1);
    memcpy(file->path, path, strlen(path) + 1);
    (void)file_stamp_renew(&file->stamp, path); /* before it is read: a change in between is seen later */
    if (files->count >= INCLUDE_FILE_LIMIT || files->bytes >= INCLUDE_BYTES_LIMIT ||
        !text_read_file(&file->text, file->path, SOURCE_SIZE_LIMIT, &ignored)) {
        free(file->path);
        free(file);
        return NULL;
    }
    files->count++;
    files->bytes += file->text.source.size;
    file->next = files->files;
    files->files = file;
    return file;
}

/* Is it a header that C, C++ or CUDA bring, not the project? */
static bool is_of_others(const char *name)
{
    static const char *const begins[] = {"cub/",
                                         "thrust/",
                                         "nv/",
                                         "cuda/",
                                         "cooperative_groups",
                                         "curand",
                                         "cublas",
                                         "cufft",
                                         "cusparse",
                                         "cudnn",
                                         "nvrtc",
                                         "sys/",
                                         "hip/",
                                         "torch/",
                                         "ATen/",
                                         "c10/",
                                         "boost/",
                                         "cudaGL",
                                         "cudaProfiler",
                                         "cuda_fp",
                                         "cuda_bf16",
                                         "cuda.",
                                         "cuda_pipe",
                                         "cuda_gl",
                                         "cuda_run",
                                         "cuda_profiler_api",
                                         "cudart",
                                         "device_launch_parameters"};
    static const char *const c[] = {
        "assert",   "dirent", "complex", "ctype",  "errno",   "fenv",   "float",       "getopt",
        "inttypes", "iso646", "limits",  "locale", "math",    "malloc", "memory",      "omp",
        "pthread",  "setjmp", "signal",  "stdarg", "stdbool", "stddef", "stdint",      "stdio",
        "stdlib",   "string", "strings", "time",   "unistd",  "wchar",  "vector_types"};
    const char *dot = strrchr(name, '.');
    if (!dot)
        return true;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        if (strlen(c[i]) == (size_t)(dot - name) && memcmp(c[i], name, strlen(c[i])) == 0)
            return true;
    return false;
}

static const struct source *read_file(void *self, const char *name, const struct source *from)
{
    struct include_files *files = self;
    char path[SEARCH_PATH];
    const char *slash = strrchr(from->name, '/');
    int folder = slash ? (int)(slash - from->name) + 1 : 0;
    bool is_angle = *name == '<';
    name += is_angle;
    if (*name == '/' || snprintf(path, sizeof path, "%.*s%s", folder, from->name, name) >= (int)sizeof path)
        return NULL;
    struct include_file *found = is_angle ? NULL : open_file(files, path);
    for (unsigned i = 0; !found && i < files->folder_count; i++)
        if (snprintf(path, sizeof path, "%s/%s", files->folders[i], name) < (int)sizeof path)
            found = open_file(files, path);
    if (!found && !is_of_others(name) && include_search_find(&files->search, name, from->name, path) &&
        (found = open_file(files, path)) != NULL)
        found->is_searched = true;
    return found ? &found->text.source : NULL;
}

void include_files_begin(struct include_files *files)
{
    files->reader = (struct include_reader){.self = files, .read = read_file, .is_of_others = is_of_others};
}

bool include_files_renew(const struct include_reader *reader)
{
    struct include_files *files = reader && reader->read == read_file ? reader->self : NULL;
    bool any = false;
    for (struct include_file *f = files ? files->files : NULL; f; f = f->next)
        if (!f->is_old && file_stamp_renew(&f->stamp, f->path)) {
            any = f->is_old = true;
            files->count--;
            files->bytes -= f->text.source.size;
        }
    return any;
}

void include_files_end(struct include_files *files)
{
    while (files->files) {
        struct include_file *next = files->files->next;
        text_close(&files->files->text);
        free(files->files->path);
        free(files->files);
        files->files = next;
    }
    include_search_end(&files->search);
}

unsigned include_files_searched(const struct include_reader *reader, char *out, size_t size)
{
    const struct include_files *files = reader && reader->read == read_file ? reader->self : NULL;
    unsigned count = 0, listed = 0;
    size_t used = 0;
    *out = '\0';
    for (const struct include_file *f = files ? files->files : NULL; f; f = f->next) {
        if (!f->is_searched || f->is_old)
            continue;
        count++;
        if (listed == count - 1 && used + strlen(f->path) + 24 < size) {
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", f->path);
            listed++;
        }
    }
    if (count > listed)
        (void)snprintf(out + used, size - used, "%s%u more", used ? " and " : "", count - listed);
    return count;
}
