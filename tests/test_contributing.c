/* test_contributing.c - what `make dist` packs builds, and every step of CONTRIBUTING.md does what it says.
 *
 * One copy of the project, unpacked from the tarball and built without optimisation, is changed as the
 * document says, from its beginning to its end: a block marked `diff` changes a file: `--- PATH`, then lines
 * that stay, go (-) and come (+); `@@` separates places. A file that is not there is made. a block marked
 * `console` holds commands after `$ `, which must succeed, and their output, a line `...` standing for any
 * lines. blocks marked otherwise are only to be read.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/version.h"

#define DOCUMENT "CONTRIBUTING.md"

static char copy[200]; /* the project's folder; "": it could not be made */
static char top[] = "/tmp/lanescope-contributing-XXXXXX";

/* What the make around this test was told is not for the one in the copy. */
#define CLEAN                                                                                                \
    "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u MODE -u CC -u LDFLAGS -u LANESCOPE "        \
    "CFLAGS=-O0 "

static struct run shell(const char *folder, const char *command)
{
    char line[2000];
    (void)snprintf(line, sizeof line, "cd %s && %s 2>&1", folder, command);
    char *arguments[] = {"/bin/sh", "-c", line, NULL};
    return run_arguments(arguments);
}

static void write_text(const char *path, const char *before, size_t size, const char *middle,
                       const char *after)
{
    FILE *out = fopen(path, "w");
    if (!out)
        fail_msg("%s cannot be written", path);
    assert_int_equal(fwrite(before, 1, size, out), size);
    assert_true(fputs(middle, out) >= 0 && fputs(after, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* The lines of a place with one of two marks, without it; free them. */
static char *lines_marked(const char *place, const char *end, char mark)
{
    char *text = calloc(1, (size_t)(end - place) + 1), *to = text;
    assert_non_null(text);
    for (const char *line = place; line < end; line += strcspn(line, "\n") + 1) {
        size_t length = strcspn(line, "\n") + 1;
        if (*line != ' ' && *line != mark && *line != '\n')
            continue;
        size_t skip = *line != '\n';
        memcpy(to, line + skip, length - skip);
        to += length - skip;
    }
    return text;
}

static void change_place(const char *path, const char *place, const char *end)
{
    char *old = lines_marked(place, end, '-'), *new = lines_marked(place, end, '+');
    if (access(path, F_OK) != 0) {
        assert_string_equal(old, "");
        write_text(path, "", 0, new, "");
    } else {
        char *text = read_file(path), *at = strstr(text, old);
        if (!*old || !at || strstr(at + 1, old))
            fail_msg(DOCUMENT ": %s does not have exactly once\n%s", path, old);
        write_text(path, text, (size_t)(at - text), new, at + strlen(old));
        free(text);
    }
    free(old);
    free(new);
}

/* A block marked `diff`. */
static void change_file(char *block)
{
    char path[400];
    assert_memory_equal(block, "--- ", 4);
    (void)snprintf(path, sizeof path, "%s/%.*s", copy, (int)strcspn(block + 4, "\n"), block + 4);
    char *place = block + strcspn(block, "\n") + 1;
    while (*place) {
        char *next = strstr(place, "@@\n");
        change_place(path, place, next ? next : place + strlen(place));
        place = next ? next + 3 : place + strlen(place);
    }
}

/* A block marked `console`. */
static void run_commands(char *block)
{
    for (char *at = block; *at;) {
        char command[1000];
        assert_memory_equal(at, "$ ", 2);
        (void)snprintf(command, sizeof command, CLEAN "%.*s", (int)strcspn(at + 2, "\n"), at + 2);
        char *output = at + strcspn(at, "\n") + 1, *next = strstr(output - 1, "\n$ ");
        char *end = next ? next + 1 : output + strlen(output), keep = *end;
        *end = '\0';
        struct run run = shell(copy, command);
        if (run.code != 0 || !text_matches(output, run.out))
            fail_msg(DOCUMENT ": %s\nshould print\n%s\nprints\n%s", command + sizeof CLEAN - 1, output,
                     run.out);
        run_free(&run);
        *end = keep;
        at = end;
    }
}

static void skip_without_copy(void)
{
    if (copy[0])
        return;
    print_message("note: the steps of " DOCUMENT " need git and a build without sanitizers\n");
    skip();
}

static void the_packed_project_builds_and_tells_its_version(void **state)
{
    (void)state;
    skip_without_copy();
    struct run run = shell(copy, CLEAN "make -s -j2 lanescope && ./lanescope --version");
    assert_string_equal(run.out, "lanescope " LANESCOPE_VERSION "\n");
    run_free(&run);
    run = shell(copy, "ls -A");
    assert_non_null(strstr(run.out, "LICENSE\n"));
    run_free(&run);
}

static void every_step_of_the_document_does_what_it_says(void **state)
{
    (void)state;
    unsigned changes = 0, commands = 0;
    skip_without_copy();
    char *text = read_file(DOCUMENT);
    for (char *at = text; (at = strstr(at, "\n```")) != NULL;) {
        char *body = at + strcspn(at + 1, "\n") + 2, *end = strstr(body, "```\n");
        assert_non_null(end);
        *end = '\0';
        if (strncmp(at, "\n```diff\n", 9) == 0) {
            change_file(body);
            changes++;
        } else if (strncmp(at, "\n```console\n", 12) == 0) {
            run_commands(body);
            commands++;
        }
        at = end + 3;
    }
    assert_true(changes >= 13 && commands >= 6);
    free(text);
}

/* The newest heading with a number is the version that the program tells. */
static void the_changelog_knows_the_version(void **state)
{
    (void)state;
    char *text = read_file("CHANGELOG.md"), heading[40];
    assert_non_null(strstr(text, "\n## [Unreleased]\n"));
    (void)snprintf(heading, sizeof heading, "\n## [%s] - ", LANESCOPE_VERSION);
    const char *newest = strstr(strstr(text, "\n## [Unreleased]\n") + 1, "\n## [");
    assert_non_null(newest);
    assert_memory_equal(newest, heading, strlen(heading));
    free(text);
}

static int make_copy(void **state)
{
    (void)state;
    char command[600];
    if (is_sanitized() || !mkdtemp(top))
        return 0;
    struct run run = shell(".", CLEAN "make -s dist");
    if (run.code == 0) {
        run.out[strcspn(run.out, "\n")] = '\0';
        (void)snprintf(command, sizeof command, "tar xzf %s -C %s", run.out, top);
        struct run unpacked = shell(".", command);
        if (unpacked.code == 0)
            (void)snprintf(copy, sizeof copy, "%s/lanescope-" LANESCOPE_VERSION, top);
        run_free(&unpacked);
    }
    run_free(&run);
    return 0;
}

static int remove_copy(void **state)
{
    (void)state;
    char command[100];
    if (strcmp(top + sizeof top - 7, "XXXXXX") == 0)
        return 0;
    (void)snprintf(command, sizeof command, "rm -rf %s", top);
    struct run run = shell("/", command);
    run_free(&run);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_packed_project_builds_and_tells_its_version),
        cmocka_unit_test(every_step_of_the_document_does_what_it_says),
        cmocka_unit_test(the_changelog_knows_the_version),
    };
    return cmocka_run_group_tests(tests, make_copy, remove_copy);
}
