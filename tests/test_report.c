/* test_report.c - the page of a launch: its figures are those of the other commands' csv, it needs nothing
 * but itself, no text of a person's gets out of its place, and a real browser shows it without a complaint.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/report-XXXXXX";

/* Writes a page into the folder and reads it. Free it. */
static char *page_of(const char *arguments, int code)
{
    char line[600], path[200];
    (void)snprintf(path, sizeof path, "%s/page.html", folder);
    (void)snprintf(line, sizeof line, "\"$LANESCOPE\" report %s -o %s", arguments, path);
    struct run run = run_shell(line);
    if (run.code != code)
        fail_msg("report %s ends with %d: %s", arguments, run.code, run.err);
    run_free(&run);
    return read_file(path);
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* The text of a piece of HTML: without tags, entities put back. */
static void text_of(const char *begin, const char *end, char *out, size_t size)
{
    static const char *const entities[][2] = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}};
    size_t used = 0;
    while (begin < end && used + 1 < size) {
        if (*begin == '<') {
            begin = strchr(begin, '>') + 1;
            continue;
        }
        size_t i = 0;
        while (i < 5 && strncmp(begin, entities[i][0], strlen(entities[i][0])) != 0)
            i++;
        out[used++] = i < 5 ? *entities[i][1] : *begin;
        begin += i < 5 ? strlen(entities[i][0]) : 1;
    }
    out[used] = '\0';
}

/* The next cell of a csv row. */
static const char *csv_cell(const char *at, char *out, size_t size)
{
    size_t used = 0;
    bool quoted = *at == '"';
    for (at += quoted; *at && (quoted || (*at != ',' && *at != '\n')); at++) {
        if (quoted && *at == '"') {
            if (at[1] != '"')
                break;
            at++;
        }
        if (used + 1 < size)
            out[used++] = *at;
    }
    out[used] = '\0';
    at += quoted;
    return *at == ',' ? at + 1 : at;
}

static void without_commas(char *text)
{
    char *to = text;
    for (; *text; text++)
        if (*text != ',')
            *to++ = *text;
    *to = '\0';
}

/* Each row of `lines` is a row of the page's table, cell by cell. */
static void check_rows(const char *arguments, const char *page)
{
    /* of lines: line 0, kind 3, access 4, requests 6, lanes 7, unit 8, actual 9, ideal 10, excess 11, ... */
    static const unsigned places[] = {0, 3, 4, 8, 6, 7, 9, 10, 11, 12, 13};
    enum { CELLS = sizeof places / sizeof *places };
    char command[400];
    (void)snprintf(command, sizeof command, "\"$LANESCOPE\" lines %s -f csv 2>&1", arguments);
    struct run run = run_shell(command);
    const char *row = strstr(page, "<tr id=\"site");
    unsigned rows = 0;
    for (const char *line = strchr(run.out, '\n') + 1; *line; line = strchr(line, '\n') + 1, rows++) {
        char cells[20][200];
        const char *at = line;
        assert_non_null(row);
        for (unsigned i = 0; i < 14; i++)
            at = csv_cell(at, cells[i], sizeof cells[i]);
        const char *cell = strstr(row, "<td");
        for (unsigned i = 0; i < CELLS; i++) {
            char text[200];
            const char *end = strstr(cell, "</td>");
            text_of(cell, end, text, sizeof text);
            if (i > 3)
                without_commas(text);
            if (strcmp(text, cells[places[i]]) != 0)
                fail_msg("%s: the page has '%s' where lines has '%s'", arguments, text, cells[places[i]]);
            cell = strstr(end, "<td");
        }
        row = strstr(row + 1, "<tr id=\"site");
    }
    assert_null(row);
    assert_true(rows > 0);
    run_free(&run);
}

static void accesses_are_those_of_lines(void **state)
{
    (void)state;
    static const struct {
        const char *arguments;
        int code;
    } cases[] = {{"tiled", 0},
                 {"padded -e 8 -m 333 -n 77 --pitch 40", 0},
                 {"naive -m 65536 -n 65536", 0},
                 {"zoo:no-store-mask", 1},
                 {"vector -m 64 -n 128", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *page = page_of(cases[i].arguments, cases[i].code);
        check_rows(cases[i].arguments, page);
        free(page);
    }
}

/* The verdict and every finding, in their sentences. */
static void the_audit_is_that_of_audit(void **state)
{
    (void)state;
    static const char *const kernels[] = {"tiled", "zoo:barrier-missing", "zoo:no-store-mask",
                                          "zoo:grid-swapped", "zoo:torn-float4"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char text[400000];
        struct run run = run_program("audit", kernels[i], "-f", "csv", NULL);
        char *page = page_of(kernels[i], run.code);
        text_of(page, page + strlen(page), text, sizeof text);
        unsigned rows = 0;
        for (const char *line = strchr(run.out, '\n') + 1; *line; line = strchr(line, '\n') + 1, rows++) {
            char cell[500] = "";
            const char *at = line;
            for (unsigned k = 0; k <= 24; k++)
                at = csv_cell(at, cell, sizeof cell);
            if (!strstr(text, cell))
                fail_msg("%s: the page does not say '%s'", kernels[i], cell);
        }
        assert_true(rows >= 1);
        run_free(&run);
        free(page);
    }
}

static void it_needs_nothing_but_itself(void **state)
{
    (void)state;
    static const char *const forbidden[] = {" src=",   "url(",    "@import", "<link rel=\"stylesheet",
                                            "<iframe", "<object", "<embed"};
    char *page = page_of("tiled", 0);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        assert_null(strstr(page, forbidden[i]));
    assert_int_equal(count_of(page, "http"),
                     count_of(page, "http-equiv") + count_of(page, "xmlns=\"http://www.w3.org/2000/svg\""));
    assert_int_equal(count_of(page, " href=\""), count_of(page, " href=\"#") + 1); /* and the empty icon */
    assert_int_equal(count_of(page, "<svg"), count_of(page, "</svg>"));
    assert_non_null(strstr(page, "default-src 'none'"));
    assert_non_null(strstr(page, "<meta name=\"viewport\" content=\"width=device-width"));
    free(page);
}

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);
    return c && at ? (int)(at - digits) : -1;
}

/* The page allows the script that it has: its SHA-256, by another program. */
static void the_script_has_its_hash(void **state)
{
    (void)state;
    char *page = page_of("copy", 0), path[200], command[300], hex[65];
    const char *hash = strstr(page, "script-src 'sha256-") + strlen("script-src 'sha256-");
    const char *script = strstr(page, "<script>") + strlen("<script>");
    (void)snprintf(path, sizeof path, "%s/script", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fwrite(script, 1, (size_t)(strstr(script, "</script>") - script), file);
    (void)fclose(file);
    for (unsigned i = 0; i < 32; i++) {
        unsigned bits = 0;
        for (unsigned k = 0; k < 2; k++) {
            unsigned at = (8 * i) / 6 + k;
            int digit = base64_digit(hash[at]);
            bits = bits << 6 | (digit < 0 ? 0u : (unsigned)digit);
        }
        (void)snprintf(hex + 2 * i, 3, "%02x", bits >> (4 - (8 * i) % 6) & 0xff);
    }
    (void)snprintf(command, sizeof command, "sha256sum <%s | grep -c ^%s", path, hex);
    expect_output(run_shell(command), 0, "1\n");
    free(page);
}

/* Texts that would break out of their places: a file's name, a kernel's text. */
static void hostile_texts_are_text(void **state)
{
    (void)state;
    static const char kernel[] = "// block: 32\n// grid: 1\n"
                                 "__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
                                 "    /* </script><script>alert(1)</script> </td></table></svg><img src=x "
                                 "onerror=alert(1)> \001 \377 */\n"
                                 "\tout[threadIdx.x & ((1 < 2) && 1 ? 31 : 0)] = in[threadIdx.x];\n}\n";
    char path[200], target[200];
    (void)snprintf(path, sizeof path, "%s/\" onload=alert(1) '<script>&lt;\001.cu", folder);
    (void)snprintf(target, sizeof target, "%s/hostile.html", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(kernel, file) >= 0);
    (void)fclose(file);
    struct run run = run_program("report", path, "-m", "8", "-n", "4", "-o", target, NULL);
    assert_int_equal(run.code, 1); /* it is no transposition */
    run_free(&run);
    char *page = read_file(target);
    assert_int_equal(count_of(page, "<script"), 1);
    assert_int_equal(count_of(page, "</script"), 1);
    assert_int_equal(count_of(page, "<img"), 0);
    assert_int_equal(count_of(page, "\" onload"), 0);
    assert_null(strchr(page, 1));
    assert_null(strchr(page, 0xff));
    assert_non_null(
        strstr(page, "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &lt;/td&gt;&lt;/table&gt;"));
    assert_non_null(strstr(page, "\tout[threadIdx.x &amp; ((1 &lt; 2)"));
    assert_non_null(strstr(page, "&quot; onload=alert(1) &#39;&lt;script&gt;&amp;lt; .cu"));
    free(page);
    (void)remove(path);
    (void)remove(target);
}

/* A page around the report, as wide as a phone, which asks it: does it fit, what does a tap say? It speaks on
 * the console itself, so that a browser that hides the console is noticed. */
static const char around[] =
    "<!DOCTYPE html><body><iframe id=f src=page.html width=360 height=800></iframe><pre id=o></pre><script>"
    "document.getElementById('f').onload=function(){"
    "var d=this.contentDocument,e=d.documentElement,r=d.querySelectorAll('svg rect:has(title)'),o='';"
    "o+='fits '+(e.scrollWidth<=e.clientWidth)+';';"
    "for(var i=0;i<r.length;i++)if(r[i].textContent.indexOf('bank 0, wavefront 7 of 32')>0){"
    "r[i].dispatchEvent(new MouseEvent('click',{bubbles:true}));break;}"
    "o+=' says '+d.getElementById('say').textContent+';';"
    "d.body.dispatchEvent(new MouseEvent('click',{bubbles:true}));"
    "o+=' hidden '+d.getElementById('say').hidden+';';"
    "document.getElementById('o').textContent=o;console.log('the page around speaks');};</script>";

static void a_browser_shows_it(void **state)
{
    (void)state;
    char path[200], command[600];
    struct run browser = run_shell("command -v chromium");
    bool is_there = browser.code == 0;
    run_free(&browser);
    if (!is_there) {
        print_message("skipped: there is no chromium\n");
        skip();
    }
    free(page_of("tiled", 0));
    (void)snprintf(path, sizeof path, "%s/around.html", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(around, file) >= 0);
    (void)fclose(file);
    (void)snprintf(command, sizeof command,
                   "timeout 120 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage "
                   "--user-data-dir=%s/profile --allow-file-access-from-files --enable-logging=stderr "
                   "--virtual-time-budget=5000 --dump-dom file://%s; rm -rf %s/profile",
                   folder, path, folder);
    struct run run = run_shell(command);
    assert_int_equal(run.code, 0);
    if (!strstr(run.out,
                "fits true; says lane 6: tile(6,0), byte 768, bank 0, wavefront 7 of 32; the bank has "
                "32 words to hand out; hidden true;"))
        fail_msg("the browser has %s", strstr(run.out, "id=\"o\"") ? strstr(run.out, "id=\"o\"") : run.out);
    assert_int_equal(count_of(run.err, "CONSOLE"), 1); /* its own word */
    assert_non_null(strstr(run.err, "the page around speaks"));
    run_free(&run);
}

static void huge_matrices_have_a_page(void **state)
{
    (void)state;
    char *page = page_of("padded -m 65536 -n 65536", 0);
    assert_non_null(strstr(page, "correct: a transpose of 65536 x 65536 elements of 4 bytes"));
    assert_non_null(strstr(page, "correct: each of the 4,294,967,296 output cells has its own"));
    free(page);
    page = page_of("first-row-skipped -m 46000 -n 45000", 1);
    assert_non_null(strstr(page, "cells that are never written: row 0 of the output is never written"));
    free(page);
    page = page_of("torn-float4 -m 46000 -n 45000", 1); /* no census tells */
    assert_non_null(strstr(page, "lanescope audit does that."));
    assert_non_null(strstr(page, "Of the output&#39;s cells 0 are missing,"));
    free(page);
}

static void other_kernels_have_one_too(void **state)
{
    (void)state;
    char *page =
        page_of("tests/data/broadcast.cu -m 1 -n 32", 1); /* no transposition, no tile of two dimensions */
    assert_null(strstr(page, "Bank conflicts by pitch"));
    free(page);
    expect_run(run_program("report", "tiled", "--pitch", "32,33", NULL), 2, "", "a report is of one pitch");
    expect_run(run_program("report", NULL), 2, "", "say what of: lanescope report RUNG|FILE.cu");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    struct run run = run_shell(command);
    run_free(&run);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_are_those_of_lines), cmocka_unit_test(the_audit_is_that_of_audit),
        cmocka_unit_test(it_needs_nothing_but_itself), cmocka_unit_test(the_script_has_its_hash),
        cmocka_unit_test(hostile_texts_are_text),      cmocka_unit_test(a_browser_shows_it),
        cmocka_unit_test(huge_matrices_have_a_page),   cmocka_unit_test(other_kernels_have_one_too),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
