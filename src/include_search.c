#include "include_search.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/arena.h"

static bool is_one_of(const char *name, size_t length, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == length && memcmp(list[i], name, length) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(name, length, list) is_one_of(name, length, list, sizeof(list) / sizeof *(list))

static bool is_source_name(const char *name)
{
    static const char *const endings[] = {".h",   ".cuh", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".cu",
                                          ".cpp", ".cc",  ".c",   ".i",  ".def", ".ipp", ".tpp"};
    const char *dot = strrchr(name, '.');
    return dot && IS_ONE_OF(dot, strlen(dot), endings);
}

/* Does the folder look like a project's? *is_certain: it has a .git. */
static bool is_project(const char *folder, bool *is_certain)
{
    static const char *const marks[] = {"src",     "include",     "inc",      "source",         "csrc",
                                        "README",  "README.md",   "LICENSE",  "CMakeLists.txt", "Makefile",
                                        "COPYING", "LICENSE.txt", "setup.py", "pyproject.toml", "README.txt"};
    DIR *directory = opendir(folder);
    bool found = false;
    unsigned looked = 0;
    for (const struct dirent *e; directory && (e = readdir(directory)) && looked < 4096; looked++) {
        *is_certain = *is_certain || strcmp(e->d_name, ".git") == 0;
        found = found || IS_ONE_OF(e->d_name, strlen(e->d_name), marks) || is_source_name(e->d_name);
    }
    if (directory)
        (void)closedir(directory);
    return found || *is_certain;
}

/* May a search go into this folder: is it of that owner, and of nobody else? */
static bool is_own(const char *folder, const struct stat *text_folder)
{
    struct stat status;
    const char *home = getenv("HOME");
    return stat(folder, &status) == 0 && status.st_uid == text_folder->st_uid &&
           !(status.st_mode & S_IWOTH) && !(home && strcmp(folder, home) == 0) && strcmp(folder, "/") != 0;
}

static void begin(struct include_search *search, const char *from)
{
    char folder[PATH_MAX], at[PATH_MAX];
    struct stat status;
    const char *slash = strrchr(from, '/');
    size_t length = slash ? (size_t)(slash - from) + 1 : 0, root = 0;
    search->is_begun = true;
    if (length >= sizeof search->prefix - 3 * SEARCH_LEVELS)
        return;
    memcpy(search->prefix, from, length);
    if (!realpath(length ? search->prefix : ".", folder) || stat(folder, &status) != 0 ||
        strlen(folder) >= SEARCH_PATH - 2)
        return;
    memcpy(at, folder, strlen(folder) + 1);
    for (unsigned level = 0; level <= SEARCH_LEVELS && is_own(at, &status); level++) {
        bool is_certain = false;
        if (is_project(at, &is_certain))
            root = strlen(at);
        char *last = strrchr(at, '/');
        if (is_certain || !last || last == at)
            break;
        *last = '\0';
    }
    if (!root)
        return;
    memcpy(search->root, folder, root);
    memcpy(search->root + root, "/", 2);
    if (folder[root] == '/')
        (void)snprintf(search->folder, sizeof search->folder, "%s/", folder + root + 1);
    search->walked = strlen(search->folder) + 1;
}

static void add(struct include_search *search, const char *path)
{
    if ((search->count & (search->count - 1)) == 0)
        search->paths =
            memory_resize(search->paths, search->count ? 2 * search->count : 1, sizeof *search->paths);
    size_t size = strlen(path) + 1;
    search->paths[search->count] = memory_take(size, 1);
    memcpy(search->paths[search->count++], path, size);
}

/* Notes the headers below a folder (of the root, ending in / or empty), but not those below `but`. */
static void walk(struct include_search *search, const char *folder, const char *but, unsigned depth)
{
    char full[2 * SEARCH_PATH], path[SEARCH_PATH];
    (void)snprintf(full, sizeof full, "%s%s", search->root, folder);
    DIR *directory = opendir(full);
    for (const struct dirent *e; directory && (e = readdir(directory)) && search->entries < SEARCH_ENTRIES;) {
        struct stat status;
        search->entries++;
        if (e->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s%s/", folder, e->d_name) >= (int)sizeof path)
            continue;
        (void)snprintf(full, sizeof full, "%s%s%s", search->root, folder, e->d_name);
        if (lstat(full, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode) && depth < SEARCH_DEPTH && strcmp(path, but) != 0) {
            walk(search, path, "", depth + 1);
        } else if (S_ISREG(status.st_mode) && is_source_name(e->d_name)) {
            path[strlen(path) - 1] = '\0';
            add(search, path);
        }
    }
    if (directory)
        (void)closedir(directory);
}

/* One folder higher than so far; false at the root. */
static bool walk_higher(struct include_search *search)
{
    char folder[SEARCH_PATH], but[SEARCH_PATH] = "";
    size_t length = strlen(search->folder);
    if (search->walked == 0 || search->entries >= SEARCH_ENTRIES)
        return false;
    if (search->walked > length) {
        search->walked = length;
    } else {
        memcpy(but, search->folder, search->walked);
        but[search->walked] = '\0';
        do
            search->walked--;
        while (search->walked && search->folder[search->walked - 1] != '/');
    }
    memcpy(folder, search->folder, search->walked);
    folder[search->walked] = '\0';
    walk(search, folder, but, 0);
    return true;
}

/* How well a path fits, better ones being larger; 0: it does not end in the name. */
static uint64_t rank(const char *path, const char *name, const char *from)
{
    static const char *const usual[] = {"include", "inc",    "src",   "source", "common", "util",
                                        "utils",   "Common", "Utils", "lib",    "csrc",   "headers"};
    size_t length = strlen(path), own = strlen(name), shared = 0, folders = 0, others = 0;
    if (own > length || strcmp(path + length - own, name) != 0 ||
        (own < length && path[length - own - 1] != '/'))
        return 0;
    for (size_t i = 0; i < length - own && path[i] == from[i]; i++)
        if (path[i] == '/') {
            shared = i + 1;
            folders++;
        }
    for (size_t i = shared; i < length - own;) {
        size_t end = i;
        while (path[end] != '/')
            end++;
        others += IS_ONE_OF(&path[i], end - i, usual) ? 1 : 2;
        i = end + 1;
    }
    return (uint64_t)(folders + 1) << 32 | (uint64_t)(SEARCH_PATH - others) << 16;
}

/* The best of the paths found so far; *several: there is another as good. */
static const char *best_path(const struct include_search *search, const char *name, const char *from,
                             bool *several)
{
    const char *best = NULL;
    uint64_t best_rank = 0;
    for (size_t i = 0; i < search->count; i++) {
        uint64_t own = rank(search->paths[i], name, from);
        if (own && own == best_rank)
            *several = true;
        if (own > best_rank) {
            best_rank = own;
            best = search->paths[i];
            *several = false;
        }
    }
    return best;
}

/* The folder of the text that asks, below the root; false where it is elsewhere. */
static bool folder_below(const struct include_search *search, const char *from, char out[SEARCH_PATH])
{
    char text[SEARCH_PATH], folder[PATH_MAX + 2];
    const char *slash = strrchr(from, '/');
    size_t root = strlen(search->root);
    if (snprintf(text, sizeof text, "%.*s", slash ? (int)(slash - from) + 1 : 1, slash ? from : ".") >=
            (int)sizeof text ||
        !realpath(text, folder))
        return false;
    (void)strcat(folder, "/");
    return strncmp(folder, search->root, root) == 0 &&
           snprintf(out, SEARCH_PATH, "%s", folder + root) < SEARCH_PATH;
}

bool include_search_find(struct include_search *search, const char *name, const char *from,
                         char path[SEARCH_PATH])
{
    char folder[SEARCH_PATH], higher[3 * 64 + 1] = "";
    if (!search->is_begun)
        begin(search, from);
    if (!search->root[0] || search->names++ >= SEARCH_NAMES || !folder_below(search, from, folder))
        return false;
    while (strncmp(name, "./", 2) == 0 || strncmp(name, "../", 3) == 0)
        name += name[1] == '/' ? 2 : 3;
    const char *best;
    bool several = false;
    while (!(best = best_path(search, name, folder, &several)) && walk_higher(search)) {
    }
    if (!best || several)
        return false;
    size_t shared = 0; /* folders that the first text's folder and the path have in common */
    for (size_t i = 0; search->folder[i] && search->folder[i] == best[i]; i++)
        shared = best[i] == '/' ? i + 1 : shared;
    for (size_t i = shared; search->folder[i]; i++)
        if (search->folder[i] == '/' && strlen(higher) + 3 < sizeof higher)
            (void)strcat(higher, "../");
    return snprintf(path, SEARCH_PATH, "%s%s%s", search->prefix, higher, best + shared) < SEARCH_PATH;
}

void include_search_end(struct include_search *search)
{
    for (size_t i = 0; i < search->count; i++)
        free(search->paths[i]);
    free(search->paths);
    *search = (struct include_search){0};
}
