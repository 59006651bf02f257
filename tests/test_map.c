/* test_map.c - docs/architecture.md lists every file once, and nothing else.
 *
 * A heading names folders, up to a colon: "### sim/count, sim/audit". In the first cell of a table's rows
 * below it, `name` stands for name.c, name.h and name.cu of these folders, `name.h` and its kind for that
 * file alone.
 */
#include "support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAP "docs/architecture.md"

/* The line after this one; NULL at the end. */
static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

static bool is_heading(const char *line)
{
    return strncmp(line, "## ", 3) == 0 || strncmp(line, "### ", 4) == 0;
}

/* Copies the `index`-th folder that a heading names; false where there is none. */
static bool folder_named(const char *heading, unsigned index, char out[100])
{
    const char *at = heading + strspn(heading, "# ");
    for (;; index--) {
        size_t length = strcspn(at, ",:\n");
        (void)snprintf(out, 100, "%.*s", (int)length, at);
        if (!index)
            return true;
        if (at[length] != ',')
            return false;
        at += length + 1 + strspn(at + length + 1, " ");
    }
}

/* Is the word among those in backticks of a row's first cell? */
static bool row_has(const char *line, const char *word, size_t length)
{
    const char *end = line + 1 + strcspn(line + 1, "|\n");
    for (const char *at = line; at < end && (at = memchr(at, '`', (size_t)(end - at))) != NULL;) {
        size_t size = strcspn(++at, "`\n");
        if (size == length && memcmp(at, word, length) == 0)
            return true;
        at += size + 1;
    }
    return false;
}

/* Does the map list the file under a heading with this folder? */
static bool is_listed(const char *map, const char *folder, const char *file)
{
    const char *dot = strrchr(file, '.');
    bool stands_for = strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0 || strcmp(dot, ".cu") == 0;
    bool here = false;
    for (const char *line = map; line; line = next_line(line)) {
        char name[100];
        if (is_heading(line)) {
            here = false;
            for (unsigned i = 0; !here && folder_named(line, i, name); i++)
                here = strcmp(name, folder) == 0;
        }
        if (here && *line == '|' &&
            (row_has(line, file, strlen(file)) || (stands_for && row_has(line, file, (size_t)(dot - file)))))
            return true;
    }
    return false;
}

static bool is_source(const char *name)
{
    static const char *const ends[] = {".c", ".h", ".cu", ".sh", ".hpp", ".mjs", ".dict"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(dot, ends[i]) == 0)
            return true;
    return false;
}

static unsigned check_folder(const char *map, const char *folder)
{
    unsigned count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        char path[400];
        struct stat status;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &status) != 0)
            continue;
        bool is_data = strcmp(path, "tests/data") == 0 || strcmp(path, "tests/fuzz/seeds") == 0;
        if (S_ISDIR(status.st_mode) && !is_data)
            count += check_folder(map, path);
        if (!S_ISREG(status.st_mode) || !is_source(entry->d_name))
            continue;
        if (!is_listed(map, folder, entry->d_name))
            fail_msg(MAP " does not list %s", path);
        count++;
    }
    (void)closedir(open);
    return count;
}

static void every_file_is_on_the_map(void **state)
{
    (void)state;
    static const char *const tops[] = {"base", "sim", "cuda", "src", "lib", "packaging", "wasm", "tests"};
    unsigned count = 0;
    char *map = read_file(MAP);
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
        count += check_folder(map, tops[i]);
    assert_true(count > 200);
    free(map);
}

static bool is_there(const char *heading, const char *word, int length)
{
    static const char *const ends[] = {"", ".c", ".h", ".cu"};
    char folder[100], path[300];
    for (unsigned i = 0; folder_named(heading, i, folder); i++)
        for (size_t k = 0; k < 4; k++) {
            (void)snprintf(path, sizeof path, "%s/%.*s%s", folder, length, word, ends[k]);
            if (access(path, F_OK) == 0)
                return true;
        }
    return false;
}

static void check_row(const char *heading, const char *line)
{
    const char *end = line + 1 + strcspn(line + 1, "|\n");
    for (const char *at = line; at < end && (at = memchr(at, '`', (size_t)(end - at))) != NULL;) {
        int length = (int)strcspn(++at, "`\n");
        if (!is_there(heading, at, length))
            fail_msg(MAP " lists %.*s under \"%.*s\", where it is not", length, at,
                     (int)strcspn(heading, "\n"), heading);
        for (const char *other = next_line(heading); other < line; other = next_line(other))
            if (*other == '|' && row_has(other, at, (size_t)length))
                fail_msg(MAP " lists %.*s twice under \"%.*s\"", length, at, (int)strcspn(heading, "\n"),
                         heading);
        at += length + 1;
    }
}

static void everything_on_the_map_is_there(void **state)
{
    (void)state;
    char *map = read_file(MAP);
    const char *heading = "";
    for (const char *line = map; line; line = next_line(line)) {
        if (is_heading(line))
            heading = line;
        else if (*line == '|')
            check_row(heading, line);
    }
    for (char *at = map; (at = strstr(at, "](../")) != NULL; at++) {
        char path[300];
        (void)snprintf(path, sizeof path, "%.*s", (int)strcspn(at + 5, ")"), at + 5);
        if (access(path, R_OK) != 0)
            fail_msg(MAP " names %s, which is not there", path);
    }
    free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_on_the_map),
        cmocka_unit_test(everything_on_the_map_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
