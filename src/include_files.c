#include "include_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"

enum { INCLUDE_FILE_LIMIT = 256, PATH_SIZE = 1024 };

struct include_file {
    char *path;
    struct text text;
    struct include_file *next;
};

static const struct source *open_file(struct include_files *files, const char *path)
{
    unsigned count = 0;
    for (struct include_file *f = files->files; f; f = f->next, count++)
        if (strcmp(f->path, path) == 0)
            return &f->text.source;
    struct problem ignored = {0};
    struct include_file *file = memory_take(1, sizeof *file);
    file->path = memory_take(strlen(path) + 1, 1);
    memcpy(file->path, path, strlen(path) + 1);
    if (count >= INCLUDE_FILE_LIMIT ||
        !text_read_file(&file->text, file->path, SOURCE_SIZE_LIMIT, &ignored)) {
        free(file->path);
        free(file);
        return NULL;
    }
    file->next = files->files;
    files->files = file;
    return &file->text.source;
}

static const struct source *read_file(void *self, const char *name, const struct source *from)
{
    struct include_files *files = self;
    char path[PATH_SIZE];
    const char *slash = strrchr(from->name, '/');
    int folder = slash ? (int)(slash - from->name) + 1 : 0;
    if (*name == '/' || snprintf(path, sizeof path, "%.*s%s", folder, from->name, name) >= (int)sizeof path)
        return NULL;
    const struct source *found = open_file(files, path);
    for (unsigned i = 0; !found && i < files->folder_count; i++)
        if (snprintf(path, sizeof path, "%s/%s", files->folders[i], name) < (int)sizeof path)
            found = open_file(files, path);
    return found;
}

void include_files_begin(struct include_files *files)
{
    files->reader = (struct include_reader){.self = files, .read = read_file};
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
}
