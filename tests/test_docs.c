/* test_docs.c - the documents are true: their examples print what they show, the arrows of the map are those
 * of the includes, every rule has its test. test_map.c holds the map against the files.
 *
 * In README.md and docs, a fenced block marked `console` holds commands after `$ ` and their output
 * (run_examples() in support.h).
 */
#include "support.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/arena.h"
#include "../src/command.h"

static void every_example_prints_what_it_shows(void **state)
{
    (void)state;
    unsigned count = run_examples("README.md", ".");
    assert_true(count >= 3);
    DIR *folder = opendir("docs");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[300];
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".md") != 0)
            continue;
        (void)snprintf(path, sizeof path, "docs/%s", entry->d_name);
        count += run_examples(path, ".");
    }
    (void)closedir(folder);
    assert_true(count >= 12);
}

/* Links of one document that lead to a file; code between ` is no link. */
static unsigned check_links(const char *path, const char *folder)
{
    char *text = read_file(path);
    unsigned count = 0;
    bool code = false;
    for (const char *at = text; *at; at++) {
        char target[400];
        code = code != (*at == '`');
        if (code || strncmp(at, "](", 2) != 0 || strncmp(at + 2, "http", 4) == 0 || at[2] == '#')
            continue;
        (void)snprintf(target, sizeof target, "%s/%.*s", folder, (int)strcspn(at + 2, ")#"), at + 2);
        if (access(target, F_OK) != 0)
            fail_msg("%s has a link to %s, which is not there", path, target);
        count++;
    }
    free(text);
    return count;
}

/* Every link of the documents below a folder. */
static unsigned check_links_below(const char *folder)
{
    DIR *open = opendir(folder);
    unsigned count = 0;
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        char path[400];
        const char *end = strrchr(entry->d_name, '.');
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (end && strcmp(end, ".md") == 0)
            count += check_links(path, folder);
        else if (!end && access(path, F_OK) == 0)
            count += check_links_below(path);
    }
    (void)closedir(open);
    return count;
}

static void every_link_leads_somewhere(void **state)
{
    (void)state;
    assert_true(check_links("README.md", ".") >= 10);
    assert_true(check_links("CONTRIBUTING.md", ".") >= 2);
    assert_true(check_links("CHANGELOG.md", ".") >= 5);
    assert_true(check_links_below("docs") >= 60);
}

/* Which rooms a room may include, apart from itself: base <- sim <- cuda <- src, and sim's own order. */
static const struct room {
    const char *folder;
    const char *allowed; /* folders, each between blanks */
    bool is_library;     /* does not print, does not exit */
} rooms[] = {
    {"base", " ", false},
    {"sim/lang", " base ", true},
    {"sim/exec", " base sim/lang ", true},
    {"sim/ptx", " base sim/lang ", true},
    {"sim/model", " base ", true},
    {"sim/count", " base sim/exec sim/model sim/lang ", true},
    {"sim/audit", " base sim/exec sim/lang ", true},
    {"sim/census", " base sim/lang sim/exec sim/model sim/count sim/audit ", true},
    {"sim/report", " base sim/lang sim/ptx sim/exec sim/model sim/count sim/audit sim/census ", true},
    {"sim/session", " base sim/lang sim/exec sim/model sim/count sim/audit sim/census sim/report ", true},
    {"cuda", " base sim/lang sim/exec sim/model sim/count sim/audit sim/report ", true},
    {"cuda/toolkit", " base cuda ", true},
    {"cuda/stub", " base cuda ", true},
    {"src",
     " base sim/lang sim/ptx sim/exec sim/model sim/count sim/audit sim/census sim/report sim/session cuda ",
     false},
    {"src/sweep", " base sim/lang sim/exec sim/model sim/count sim/report src ", false},
    {"src/picture",
     " base sim/lang sim/exec sim/model sim/count sim/audit sim/census sim/report sim/session src ", false},
    {"src/bench", " base sim/model sim/count sim/report cuda src src/sweep ", false},
    {"src/manual", " base sim/report src ", false},
    {"src/html",
     " base sim/lang sim/exec sim/model sim/count sim/audit sim/census sim/report sim/session src/picture "
     "src ",
     false},
    {"src/advise", " base sim/lang sim/exec sim/model sim/count sim/report src ", false},
    {"src/quiz", " base sim/lang sim/exec sim/model sim/count sim/report sim/session cuda src ", false},
    {"lib", " base sim/exec sim/census sim/report sim/session ", true},
    {"wasm", " base sim/audit sim/report src/tui ", false},
    {"src/tui", " base sim/lang sim/exec sim/model sim/count sim/audit sim/report sim/session src ", false},
};
enum { ROOMS = sizeof rooms / sizeof *rooms };

/* The folder of `included`, as written in a file of `folder`: "../../base/x.h" in sim/lang is of base. */
static void folder_of(const char *folder, const char *included, char out[200])
{
    (void)snprintf(out, 200, "%s", folder);
    while (strncmp(included, "../", 3) == 0) {
        char *slash = strrchr(out, '/');
        if (slash)
            *slash = '\0';
        else
            out[0] = '\0';
        included += 3;
    }
    const char *end = strrchr(included, '/');
    size_t used = strlen(out);
    if (end)
        (void)snprintf(out + used, 200 - used, "%s%.*s", used ? "/" : "", (int)(end - included), included);
}

/* Where a text between quotes has an option of a command line in it, --x or --%s; NULL: nowhere. */
static const char *option_in_quotes(const char *text)
{
    bool quoted = false;
    for (; *text; text++) {
        if (*text == '\\' && text[1])
            text++;
        else if (*text == '\n')
            quoted = false;
        else if (*text == '"')
            quoted = !quoted;
        else if (quoted && strncmp(text, "--", 2) == 0 &&
                 (text[2] == '%' || (text[2] >= 'a' && text[2] <= 'z')))
            return text;
    }
    return NULL;
}

static void check_arrows(const struct room *room, const char *path, const char *text)
{
    for (const char *at = text; (at = strstr(at, "#include \"")) != NULL; at++) {
        char name[200], target[202], included[200];
        const char *from = at + strlen("#include \"");
        (void)snprintf(included, sizeof included, "%.*s", (int)strcspn(from, "\"\n"), from);
        folder_of(room->folder, included, name);
        (void)snprintf(target, sizeof target, " %s ", name);
        if (strcmp(name, room->folder) != 0 && !strstr(room->allowed, target))
            fail_msg("%s includes %s of %s: that arrow goes the wrong way", path, included, name);
    }
    if (room->is_library &&
        (strstr(text, "printf(stderr") || strstr(text, "printf(stdout") || strstr(text, " exit(")))
        fail_msg("%s prints or exits: the library must not", path);
    const char *option = strncmp(room->folder, "sim/", 4) == 0 ? option_in_quotes(text) : NULL;
    if (option)
        fail_msg("%s speaks of the option %.20s: the library must not know the command line", path, option);
}

static void arrows_go_one_way(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROOMS; i++) {
        DIR *folder = opendir(rooms[i].folder);
        assert_non_null(folder);
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            char path[300];
            const char *end = strrchr(entry->d_name, '.');
            if (!end || (strcmp(end, ".c") != 0 && strcmp(end, ".h") != 0))
                continue;
            (void)snprintf(path, sizeof path, "%s/%s", rooms[i].folder, entry->d_name);
            char *text = read_file(path);
            check_arrows(&rooms[i], path, text);
            free(text);
        }
        (void)closedir(folder);
    }
}

/* A user interface's state and panes are to run where there is no terminal and no program of ours: of src/tui
 * only the loop, the file that is watched and the screens know either. */
static void the_user_interface_needs_no_terminal(void **state)
{
    (void)state;
    static const char *const forbidden[] = {"curses.h>", "<unistd.h>", "<termios.h>", "<signal.h>",
                                            "<sys/",     "<locale.h>", "<time.h>"};
    DIR *folder = opendir("src/tui");
    unsigned count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[300];
        const char *name = entry->d_name;
        if (name[0] == '.' || strcmp(name, "tui.c") == 0 || strcmp(name, "loop.c") == 0 ||
            strcmp(name, "live.c") == 0 || strncmp(name, "screen_", 7) == 0)
            continue;
        (void)snprintf(path, sizeof path, "src/tui/%s", name);
        char *text = read_file(path);
        for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
            if (strstr(text, forbidden[i]))
                fail_msg("%s includes %s: only tui.c, loop.c, live.c and screen_curses.c may", path,
                         forbidden[i]);
        for (char *at = text; (at = strstr(at, "#include \"../")) != NULL; at++)
            if (strncmp(at, "#include \"../../", 16) != 0)
                fail_msg("%s includes a file of src: only tui.c may", path);
        count++;
        free(text);
    }
    (void)closedir(folder);
    assert_true(count > 20);
}

/* What the test that pins a rule of docs/model.md must have in its body to be about that rule: the row of the
 * rule, by some of its words, and pieces of the test's text. A rule without a row here, or a row without a
 * rule, fails. */
static const struct pinned {
    const char *rule;
    const char *pieces[3];
} pinned[] = {
    {"bank = (byte / 4) mod 32", {"32 * 4", "33 * 4", "bank_words_of"}},
    {"lanes of one word cost nothing extra", {"strided(delta, 4, 0, load)", "load < 2"}},
    {"32 for 1, 2, 4 bytes, 16 for 8, 8 for 16", {"strided(delta, 16, 16", "strided(delta, 8, 8"}},
    {"merge groups pairwise", {"tests/data/accesses.csv", "2550 rows, 0 differ"}},
    {"the most distinct words that one bank serves", {"slow_wavefronts", "lane_bytes", "mask"}},
    {"one request an instruction", {"tests/data/launches.csv", "1341 rows, 1 differ"}},
    {"distinct aligned 32-byte pieces", {"b / 32", "cost.sectors", "mask"}},
    {"distinct aligned 128-byte pieces", {"lines(4, 96, 4, 0x1ff), 2", "lines(4, 0, 64", "it straddles"}},
    {"`--in-offset`, `--out-offset`", {"in_offset", "out_offset", "units"}},
    {"the fewest that hold the distinct bytes", {"sectors(4, 60, 0, UINT32_MAX", "ideal, 1"}},
    {"a sector is taken as often", {"accesses_atomic.csv", "305"}},
    {"32 for 32 lanes on one word", {"4 * 32", "atomicCAS", "0, 0, 4, 0, 4"}},
    {"last warp may be partial", {"7, 5)", "threadIdx.y", "0x7)"}},
    {"lanes diverge under masks", {"continue", "break", "mask_of"}},
    {"`a[i] + a[i]` counts twice", {"in[i] + in[i]", "requests, 3)"}},
    {"static shared arrays lie in the order", {"extern __shared__", "offsets[i]", "static_shared_bytes"}},
    {"those of functions are one for all calls", {"template <int N>", "program->shared[k].offset", "fz"}},
    {"integers wrap as their types do", {"65536 * 65536", "OVERFLOW_SHIFT", "2654435761u"}},
    {"integers wrap as their types do", {"threadIdx.x + 9 + i", "3000000000u"}},
    {"shared cells that two warps touch", {"__syncthreads", "__shared__", "hazards"}},
    {"is not waited for at a barrier", {"return;", "__syncthreads", "barriers, 1)"}},
    {"lanes that pass a barrier by", {"__syncthreads", "missed_so_far, 4)", "loads.units, 20)"}},
    {"those of the lanes that run", {"__shfl_up_sync", "__ballot_sync", "if (t < 16)"}},
    {"without a barrier a reader may see cells nobody wrote yet",
     {"__syncthreads", "uninitialized_tile_reads > 0"}},
    {"are numbers when they are loaded", {"p[t] = t + 100 * b", "make_int2", "DATA("}},
    {"never ends, unless it loads numbers", {"while (p[0] == 0)", "budget", "never ends"}},
    {"An output cell is *missing*", {"audits.csv", "written_twice", "unset_tile_reads"}},
    {"An output cell is *missing*", {"disagreeing, 32)", "disagreeing, 0)", "blockIdx.x"}},
    {"An output cell is *missing*", {"brought", "differ ? 4 : 0", "length <= 4"}},
    {"An output cell is *missing*", {"__syncthreads", "t == 70", "racing[i]"}},
    {"An output cell is *missing*", {"s[t | 1] = in[t]", "s[t | 1] = in[t | 1]", "other[t / 2]"}},
    {"An output cell is *missing*", {"float4", ".in_offset", "misaligned"}},
    {"lanes of one warp *unordered*", {"s[31 - t]", "__syncwarp();", "__syncthreads();"}},
    {"lanes of one warp *unordered*", {"if (t < 32) __syncthreads()", "return; __syncthreads", "missed"}},
    {"that is named and not called wrong", {"the tile s is int", "correct: a transpose"}},
    {"sm_70 to sm_121", {"LIMIT_SHARED", "LIMIT_REGISTERS", "LIMIT_IMPOSSIBLE"}},
};
enum { PINNED = sizeof pinned / sizeof *pinned };

/* The body of a test function, from its name to the brace that closes it; free it. NULL where it is not
 * defined. */
static char *body_of(const char *path, const char *name)
{
    char head[200];
    char *text = read_file(path);
    (void)snprintf(head, sizeof head, "\nstatic void %s(void **state)\n{", name);
    char *begin = strstr(text, head), *end = begin ? strstr(begin, "\n}\n") : NULL;
    if (end) {
        *end = '\0';
        memmove(text, begin, (size_t)(end - begin) + 1);
        return text;
    }
    free(text);
    return NULL;
}

/* The lines around `at` up to an empty one, or the one line where they are rows of a table; free it. */
static char *paragraph_around(const char *text, const char *at)
{
    const char *begin = at, *end;
    while (begin > text && begin[-1] != '\n')
        begin--;
    const char *stop = *begin == '|' ? "\n" : "\n\n";
    while (*begin != '|' && begin - text >= 2 && !(begin[-1] == '\n' && begin[-2] == '\n'))
        begin--;
    end = strstr(at, stop);
    size_t size = end ? (size_t)(end - begin) : strlen(begin);
    char *copy = memory_take(size + 1, 1);
    memcpy(copy, begin, size);
    return copy;
}

static void check_pieces(const struct pinned *rule, const char *name, const char *body)
{
    for (size_t i = 0; i < 3 && rule->pieces[i]; i++)
        if (!strstr(body, rule->pieces[i]))
            fail_msg("docs/model.md pins \"%s\" to %s, which has no \"%s\"", rule->rule, name,
                     rule->pieces[i]);
}

/* Every rule of docs/model.md names tests that exist and are about it: each test has the pieces of one row of
 * its rule, and each row is met. */
static void every_rule_names_a_test_that_covers_it(void **state)
{
    (void)state;
    char *model = read_file("docs/model.md");
    size_t used = 0;
    for (char *at = model; (at = strstr(at, "`tests/test_")) != NULL; at++) {
        char path[120], name[160];
        const char *colon = strchr(at, ':');
        assert_non_null(colon);
        (void)snprintf(path, sizeof path, "%.*s", (int)(colon - at - 1), at + 1);
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 1, "`"), colon + 1);
        char *body = body_of(path, name), *words = paragraph_around(model, at);
        if (!body)
            fail_msg("docs/model.md names %s:%s, which is not there", path, name);
        /* The table is in the order of the document. */
        if (used == PINNED || !strstr(words, pinned[used].rule))
            fail_msg("the next row of pinned[] in tests/test_docs.c should be of the rule\n%s", words);
        check_pieces(&pinned[used++], name, body);
        free(words);
        free(body);
    }
    if (used < PINNED)
        fail_msg("docs/model.md has no rule \"%s\" with a test", pinned[used].rule);
    free(model);
}

/* A table of rules has no row without its test. */
static void every_row_of_rules_names_a_test(void **state)
{
    (void)state;
    char *model = read_file("docs/model.md");
    unsigned rows = 0;
    for (char *line = model; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        int length = (int)strcspn(line, "\n");
        if (*line != '|' || strncmp(line, "| rule |", 8) == 0 || strncmp(line, "|---", 4) == 0)
            continue;
        const char *pin = strstr(line, "`tests/test_");
        if (!pin || pin > line + length)
            fail_msg("docs/model.md names no test that pins the rule\n%.*s", length, line);
        rows++;
    }
    assert_true(rows >= 17);
    free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_prints_what_it_shows),
        cmocka_unit_test(every_link_leads_somewhere),
        cmocka_unit_test(arrows_go_one_way),
        cmocka_unit_test(the_user_interface_needs_no_terminal),
        cmocka_unit_test(every_rule_names_a_test_that_covers_it),
        cmocka_unit_test(every_row_of_rules_names_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
