/* test_picture.c - pictures: the figures in the SVG are those of the other commands' csv, read back; formats,
 * refusals, hostile names.
 */
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a shell line prints; it must end with 0. Free it. */
__attribute__((format(printf, 1, 2))) static char *output_of(const char *format, ...)
{
    char line[1000];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    struct run run = run_shell(line);
    if (run.code != 0)
        fail_msg("%s ends with %d: %s", line, run.code, run.err);
    char *out = run.out;
    free(run.err);
    return out;
}

/* A picture as SVG. Free it. */
static char *svg_of(const char *arguments)
{
    return output_of(
        "f=$(mktemp) && \"$LANESCOPE\" heatmap %s -o $f.svg && cat $f.svg; c=$?; rm -f $f $f.svg; "
        "exit $c",
        arguments);
}

/* How often a text stands in another. */
static unsigned count_of(const char *text, const char *what)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* The cell of a csv row under a name; both are lines. */
static void cell_of(const char *header, const char *row, const char *name, char out[80])
{
    size_t length = strlen(name);
    while (strncmp(header, name, length) != 0 || (header[length] != ',' && header[length] != '\n')) {
        header = strchr(header, ',');
        if (!header)
            fail_msg("there is no column %s", name);
        header++;
        if (*row == '"')
            row = strchr(row + 1, '"') + 1;
        row += strcspn(row, ",\n") + 1;
    }
    (void)snprintf(out, 80, "%.*s", (int)strcspn(row, ",\n"), row);
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

static void group(const char *digits, char out[40])
{
    size_t length = strlen(digits), used = 0;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
}

__attribute__((format(printf, 2, 3))) static void expect_in(const char *svg, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!strstr(svg, text))
        fail_msg("the picture does not say '%s'", text);
}

/* The steps of the panels' accesses: as many as there are. */
static unsigned steps_of(const char *svg, unsigned steps[2])
{
    unsigned count = 0;
    for (const char *at = svg; count < 2 && (at = strstr(at, ", step ")) != NULL; at++)
        steps[count++] = (unsigned)strtoul(at + 7, NULL, 10);
    return count;
}

/* The bytes of each sector that the trace's lanes ask for are counted as its cells say. */
static void bytes_are_those_of_trace(const char *svg, const char *csv)
{
    enum { SECTORS = 128 };
    static uint64_t index[SECTORS];
    static uint32_t asked[SECTORS];
    unsigned count = 0;
    for (const char *line = next_line(csv); line; line = next_line(line)) {
        char sector[80], byte[80], bytes[80];
        cell_of(csv, line, "sector", sector);
        cell_of(csv, line, "byte", byte);
        cell_of(csv, line, "lane_bytes", bytes);
        if (!*sector)
            continue;
        unsigned at = 0;
        while (at < count && index[at] != strtoull(sector, NULL, 10))
            at++;
        if (at == count) {
            assert_true(count < SECTORS);
            index[count] = strtoull(sector, NULL, 10);
            asked[count++] = 0;
        }
        for (unsigned long i = 0; i < strtoul(bytes, NULL, 10); i++)
            asked[at] |= UINT32_C(1) << (strtoull(byte, NULL, 10) + i) % 32;
    }
    for (unsigned at = 0; at < count; at++) {
        unsigned bytes = 0;
        for (unsigned bit = 0; bit < 32; bit++)
            bytes += asked[at] >> bit & 1;
        expect_in(svg, "<title>sector %" PRIu64 ": %u of 32 bytes are asked for", index[at], bytes);
    }
}

/* Each active lane of the trace is in the picture with its byte and its sector or bank, and each lane that is
 * not takes no part; there are no others. */
static void lanes_are_those_of_trace(const char *arguments, const char *kind, const char *column)
{
    char command[300], value[80], byte[80], lane[80], row[80], col[80], buffer[80];
    unsigned steps[2], active = 0, idle = 0;
    (void)snprintf(command, sizeof command, "%s --kind %s", arguments, kind);
    char *svg = svg_of(command);
    unsigned panels = steps_of(svg, steps);
    assert_true(panels >= 1);
    for (unsigned i = 0; i < panels; i++) {
        char *csv = output_of("\"$LANESCOPE\" trace %s --at-step %u -f csv", arguments, steps[i]);
        for (const char *line = next_line(csv); line; line = next_line(line)) {
            cell_of(csv, line, "lane", lane);
            cell_of(csv, line, "active", value);
            if (strcmp(value, "yes") != 0 && strcmp(value, "1") != 0) {
                idle++;
                continue;
            }
            active++;
            cell_of(csv, line, "byte", byte);
            cell_of(csv, line, "row", row);
            cell_of(csv, line, "col", col);
            cell_of(csv, line, column, value);
            cell_of(csv, line, "buffer", buffer);
            expect_in(svg, "<title>lane %s: %s(%s,%s), byte %s, %s %s,", lane, buffer, row, col, byte, column,
                      value);
        }
        if (strcmp(column, "sector") == 0 && !strstr(arguments, "offset")) /* aligned: no lane lies in two */
            bytes_are_those_of_trace(svg, csv);
        free(csv);
    }
    assert_int_equal(count_of(svg, "takes no part"), idle);
    assert_true(active > 0);
    free(svg);
}

static void lanes_have_the_sectors_and_banks_of_trace(void **state)
{
    (void)state;
    static const char *const configurations[] = {
        "tiled",         "tiled --pitch 33",          "naive -m 101 -n 67",
        "padded -e 8",   "padded -e 16 -m 40 -n 33",  "tiled -t 16 -b 16 -p 17 -e 4",
        "swizzled -e 2", "tiled -m 5 -n 7 -t 8 -b 4", "copy -m 3 -n 1001 --in-offset 3",
        "naive -e 1",    "tiled --at-block 2,3 -e 8", "vector -m 64 -n 64",
    };
    for (size_t i = 0; i < sizeof configurations / sizeof *configurations; i++) {
        lanes_are_those_of_trace(configurations[i], "coalescing", "sector");
        if (strncmp(configurations[i], "naive", 5) != 0 && strncmp(configurations[i], "copy", 4) != 0)
            lanes_are_those_of_trace(configurations[i], "banks", "bank");
    }
}

/* What stands below a panel is a row of `lines`. */
static void sums_are_those_of_lines(void **state)
{
    (void)state;
    static const char *const configurations[] = {"tiled", "naive -m 1000 -n 700", "padded -e 8 -m 333 -n 77",
                                                 "copy -m 65536 -n 65536"};
    for (size_t i = 0; i < sizeof configurations / sizeof *configurations; i++)
        for (int is_shared = 0; is_shared < 2; is_shared++) {
            char command[200];
            unsigned rows = 0;
            if (is_shared && (configurations[i][0] == 'n' || configurations[i][0] == 'c'))
                continue;
            (void)snprintf(command, sizeof command, "%s --kind %s", configurations[i],
                           is_shared ? "punchcard" : "coalescing");
            char *svg = svg_of(command),
                 *csv = output_of("\"$LANESCOPE\" lines %s -f csv", configurations[i]);
            for (const char *line = next_line(csv); line; line = next_line(line)) {
                static const char *const names[] = {"requests", "actual", "ideal"};
                char numbers[3][40], cell[80], unit[80], kind[80];
                cell_of(csv, line, "kind", kind);
                if ((strncmp(kind, "shared", 6) == 0) != is_shared)
                    continue;
                cell_of(csv, line, "unit", unit);
                for (int k = 0; k < 3; k++) {
                    cell_of(csv, line, names[k], cell);
                    group(cell, numbers[k]);
                }
                expect_in(svg, "in the whole launch: %s requests, %s %s, ideal %s<", numbers[0], numbers[1],
                          unit, numbers[2]);
                rows++;
            }
            assert_int_equal(rows, count_of(svg, "in the whole launch"));
            free(svg);
            free(csv);
        }
}

/* The matrix of lanes and banks says how many wavefronts there are: as many as the highest number in it. */
static void wavefronts_are_counted_once(void **state)
{
    (void)state;
    char *svg = svg_of("tiled --kind punchcard --at-step 64");
    assert_int_equal(count_of(svg, "banks at work"), 32);
    expect_in(svg, "wavefront 7: bank 0 serves lane 6<");
    expect_in(svg, "32 wavefronts, ideal 1: a 32-way bank conflict");
    free(svg);
    svg = svg_of("tiled --kind banks --at-step 64");
    expect_in(svg, "bank 0, wavefront 32 of 32; the bank has 32 words to hand out");
    expect_in(svg, "<title>bank 31: 0 words</title>");
    free(svg);
    svg = svg_of("padded --kind banks --at-step 64");
    expect_in(svg, "<title>bank 31: 1 word</title>");
    assert_int_equal(count_of(svg, "wavefront 1 of 1"), 32);
    free(svg);
    /* lanes that share a word are served together */
    svg = svg_of("tests/data/broadcast.cu -m 1 -n 32 --kind punchcard");
    expect_in(svg, "wavefront 1: bank 0 serves 32 lanes at once, with one word");
    free(svg);
}

static void the_ladder_has_the_numbers_of_ladder(void **state)
{
    (void)state;
    static const struct {
        const char *head, *unit, *actual, *ideal, *requests;
    } measures[] = {{"global loads", "sectors", "load_sectors", "load_ideal_sectors", "load_requests"},
                    {"global stores", "sectors", "store_sectors", "store_ideal_sectors", "store_requests"},
                    {"shared loads", "wavefronts", "shared_load_wavefronts", "shared_load_ideal",
                     "shared_load_instructions"},
                    {"shared stores", "wavefronts", "shared_store_wavefronts", "shared_store_ideal",
                     "shared_store_instructions"}};
    char *svg = svg_of("--kind ladder -m 333 -n 77");
    char *csv = output_of("\"$LANESCOPE\" ladder -m 333 -n 77 -f csv");
    unsigned rows = 0;
    for (const char *line = next_line(csv); line; line = next_line(line), rows++)
        for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
            char name[80], actual[80], ideal[80], requests[80], a[40], b[40];
            cell_of(csv, line, "rung", name);
            cell_of(csv, line, measures[m].actual, actual);
            cell_of(csv, line, measures[m].ideal, ideal);
            cell_of(csv, line, measures[m].requests, requests);
            group(actual, a);
            group(ideal, b);
            if (strcmp(requests, "0") != 0)
                expect_in(svg, "<title>%s, %s: %s %s, ideal %s</title>", name, measures[m].head, a,
                          measures[m].unit, b);
        }
    assert_true(rows >= 13);
    free(svg);
    free(csv);
    svg = svg_of("tests/data/launch.cu --kind ladder"); /* a file's row, and the rungs at its sizes */
    expect_in(svg, "64 x 96 matrix");
    expect_in(svg, "<title>tests/data/launch.cu, global loads: ");
    expect_in(svg, "<title>padded, global loads: ");
    free(svg);
}

static void the_curve_has_the_numbers_of_sweep(void **state)
{
    (void)state;
    char *svg = svg_of("tiled --kind pitches -m 777 -n 555 -t 16");
    char *csv = output_of("\"$LANESCOPE\" sweep tiled -m 777 -n 555 -t 16 --sweep PITCH=16:32 -f csv");
    unsigned rows = 0;
    for (const char *line = next_line(csv); line; line = next_line(line), rows++) {
        char pitch[80], actual[80], ideal[80], a[40], b[40];
        cell_of(csv, line, "pitch", pitch);
        cell_of(csv, line, "wavefronts", actual);
        cell_of(csv, line, "ideal", ideal);
        group(actual, a);
        group(ideal, b);
        expect_in(svg, "<title>pitch %s: %s wavefronts, ideal %s</title>", pitch, a, b);
    }
    assert_int_equal(rows, 17);
    assert_int_equal(count_of(svg, "<title>pitch "), 17);
    free(svg);
    free(csv);
    svg =
        svg_of("tests/data/literal_pitch.cu -m 64 -n 64 --kind pitches"); /* a text that says tile[32][32] */
    expect_in(svg, "<title>pitch 32: 4,224 wavefronts, ideal 256</title>");
    expect_in(svg, "<title>pitch 33: 256 wavefronts, ideal 256</title>");
    free(svg);
}

/* What the pieces of a map say of their cells, summed up. */
static void sum_pieces(const char *svg, uint64_t sums[4])
{
    memset(sums, 0, 4 * sizeof *sums);
    for (const char *at = svg; (at = strstr(at, " cells missing ")) != NULL; at++) {
        uint64_t missing, wrong, disagreeing, twice;
        assert_int_equal(sscanf(at,
                                " cells missing %" SCNu64 ", wrong %" SCNu64 ", disagreeing %" SCNu64
                                ", written twice %" SCNu64,
                                &missing, &wrong, &disagreeing, &twice),
                         4);
        sums[0] += missing;
        sums[1] += wrong;
        sums[2] += disagreeing;
        sums[3] += twice;
    }
}

/* The numbers of the map's legend are those of owners; where every cell is a piece, so are its marks. */
static void owners_are_those_of_owners(void **state)
{
    (void)state;
    static const char *const configurations[] = {"padded",
                                                 "zoo:no-store-mask",
                                                 "zoo:duplicate-writes",
                                                 "zoo:first-row-skipped -m 12 -n 9",
                                                 "zoo:grid-swapped",
                                                 "zoo:barrier-missing",
                                                 "padded -m 65536 -n 65536",
                                                 "zoo:off-by-one-guard -m 3000 -n 2000"};
    static const char *const names[] = {"missing", "wrong", "disagreeing", "written_twice"};
    static const char *const words[] = {"missing", "wrong", "disagreeing", "written twice"};
    for (size_t i = 0; i < sizeof configurations / sizeof *configurations; i++) {
        char command[200];
        (void)snprintf(command, sizeof command, "%s --kind owners", configurations[i]);
        char *svg = svg_of(command);
        char *csv = output_of("\"$LANESCOPE\" owners %s -f csv || test $? = 1", configurations[i]);
        uint64_t sums[4];
        sum_pieces(svg, sums);
        bool is_sampled = strstr(svg, "blocks, at regular distances") != NULL;
        for (int k = 0; k < 4; k++) {
            char cell[80], number[40], text[60];
            cell_of(csv, next_line(csv), names[k], cell);
            if (!is_sampled)
                assert_int_equal(sums[k], strtoull(cell, NULL, 10));
            group(cell, number);
            (void)snprintf(text, sizeof text, ">%s</text>", words[k]);
            const char *at = strstr(svg, text);
            assert_non_null(at);
            while (strncmp(at, "</text>\n", 8) != 0)
                at--;
            const char *begin = at;
            while (begin[-1] != '>')
                begin--;
            if (strlen(number) != (size_t)(at - begin) || strncmp(begin, number, strlen(number)) != 0)
                fail_msg("%s: %.*s cells %s, and owners says %s", configurations[i], (int)(at - begin), begin,
                         words[k], number);
        }
        char correct[80];
        cell_of(csv, next_line(csv), "correct", correct);
        expect_in(svg, strcmp(correct, "yes") == 0 ? ">correct: each of the " : ">not correct");
        free(svg);
        free(csv);
    }
    char *svg = svg_of("zoo:first-row-skipped -m 12 -n 9 --kind owners"); /* each piece is a cell */
    unsigned missing = count_of(svg, "): nobody");
    char *csv = output_of("\"$LANESCOPE\" owners zoo:first-row-skipped -m 12 -n 9 -f csv || test $? = 1");
    char cell[80];
    cell_of(csv, next_line(csv), "missing", cell);
    assert_true(missing > 0);
    assert_int_equal(missing, strtoul(cell, NULL, 10));
    free(csv);
    free(svg);
}

static void two_are_compared(void **state)
{
    (void)state;
    char *svg = svg_of("tiled --kind banks --compare");
    expect_in(svg, ">tiled, pitch 32 beside pitch 33: which banks");
    expect_in(svg, ">32 wavefronts, ideal 1: a 32-way bank conflict<");
    expect_in(svg, ">1 wavefront, ideal 1<");
    free(svg);
    svg = svg_of("tests/data/literal_pitch.cu --kind banks --compare --pitch 34,35");
    expect_in(svg, "pitch 34 beside pitch 35");
    free(svg);
    svg = svg_of("naive tiled --compare");
    expect_in(svg, ">naive beside tiled, pitch 32: which sectors");
    expect_in(svg, ">32 sectors in 32 lines, ideal 4<");
    free(svg);
    svg = svg_of("tiled padded --kind owners --compare");
    assert_int_equal(count_of(svg, ">correct: each of the 7,000"), 2);
    free(svg);
    svg = svg_of(
        "tests/data/broadcast.cu tiled --kind owners --compare -m 400 -n 400"); /* one legend for both */
    assert_int_equal(count_of(svg, "the first sixth of the blocks"), 1);
    assert_int_equal(count_of(svg, "a warp each"), 0);
    free(svg);
}

static void the_documents_show_what_is_drawn(void **state)
{
    (void)state;
    char *now = svg_of("tiled --kind banks --compare");
    char *before = read_file("docs/pictures/banks.svg");
    if (strcmp(now, before) != 0)
        fail_msg(
            "docs/pictures/banks.svg is another picture: lanescope heatmap tiled --kind banks --compare -o "
            "docs/pictures/banks.svg draws it anew; look at it");
    free(before);
    free(now);
}

static void what_cannot_be_drawn_is_said(void **state)
{
    (void)state;
    expect_run(run_program("heatmap", NULL), 2, "", "say which kernel: a rung of the ladder or a FILE.cu");
    expect_run(run_program("heatmap", "naive", "--kind", "banks", NULL), 2, "",
               "naive accesses no shared memory in block 0,0,0: there is nothing to draw of this kind");
    expect_run(run_program("heatmap", "naive", "--kind", "pitches", NULL), 2, "",
               "naive has no tile in shared memory whose pitch could be another");
    expect_run(run_program("heatmap", "naive", "--compare", NULL), 2, "", "name a second kernel");
    expect_run(run_program("heatmap", "naive", "tiled", NULL), 2, "", "side by side with --compare");
    expect_run(run_program("heatmap", "tiled", "--pitch", "32,33", NULL), 2, "", "two with --compare");
    expect_run(run_program("heatmap", "tiled", "--pitch", "32,33,34", "--compare", NULL), 2, "",
               "a picture takes one --pitch, or two");
    expect_run(run_program("heatmap", "--kind", "ladder", "--compare", NULL), 2, "", "leave out --compare");
    expect_run(run_program("heatmap", "tiled", "--at-block", "9,9", NULL), 2, "",
               "block 9,9,0 is not in the grid of 3 x 4 x 1");
    expect_run(run_program("heatmap", "tiled", "--kind", "banks", "--at-warp", "99", NULL), 2, "",
               "where --at-warp, --at-site and --at-step look");
    expect_run(run_program("heatmap", "tiled", "-o", "/tmp/picture.jpg", NULL), 2, "",
               "/tmp/picture.jpg: a picture's name ends in .svg, .png, .pdf or .txt");
    assert_int_equal(access("/tmp/picture.jpg", F_OK), -1);
}

static bool draws_png(void)
{
    struct run run = run_shell("f=$(mktemp -d) && \"$LANESCOPE\" heatmap tiled -o $f/x.png; c=$?; rm -rf $f; "
                               "exit $c");
    bool is_built = run.code == 0;
    if (!is_built)
        assert_non_null(strstr(run.err, "Cairo"));
    run_free(&run);
    return is_built;
}

static void the_name_decides_the_format(void **state)
{
    (void)state;
    char *text =
        output_of("f=$(mktemp -d) && \"$LANESCOPE\" heatmap tiled -o $f/x.txt && cat $f/x.txt; rm -rf $f");
    char *plain = output_of("\"$LANESCOPE\" heatmap tiled");
    assert_string_equal(text, plain);
    free(text);
    free(plain);
    char *svg = svg_of("tiled");
    assert_memory_equal(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1190 ", 54);
    free(svg);
    if (!draws_png()) {
        print_message("skipped: PNG and PDF: built without Cairo\n");
        skip();
    }
    char *head = output_of("f=$(mktemp -d) && \"$LANESCOPE\" heatmap tiled -o $f/x.png && "
                           "od -An -tx1 -N24 $f/x.png | tr -d ' \\n'; rm -rf $f");
    assert_string_equal(head, "89504e470d0a1a0a0000000d494844520000078000000438"); /* 1920 x 1080 */
    free(head);
    head = output_of(
        "f=$(mktemp -d) && \"$LANESCOPE\" heatmap tiled -o $f/x.PDF && head -c 5 $f/x.PDF; rm -rf $f");
    assert_string_equal(head, "%PDF-");
    free(head);
}

/* A name and a text that would break out of the document. */
static void hostile_names_are_text(void **state)
{
    (void)state;
    static const char kernel[] = "// block: 32\n// grid: 1\n"
                                 "__global__ void k(const float *in, float *out, int rows, int cols)\n{\n"
                                 "    out[threadIdx.x & ((1 < 2) && 1 ? 31 : 0)] = in[threadIdx.x];\n}\n";
    char folder[] = "/tmp/picture-XXXXXX", path[200], picture[200];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/<script>alert(1)<!--&\"']]>\001\377.cu", folder);
    (void)snprintf(picture, sizeof picture, "%s/x.svg", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(kernel, file) >= 0);
    (void)fclose(file);
    expect_output(run_program("heatmap", path, "-m", "8", "-n", "4", "-o", picture, NULL), 0, "");
    char *svg = read_file(picture);
    (void)remove(path);
    (void)remove(picture);
    (void)rmdir(folder);
    assert_null(strstr(svg, "<script"));
    assert_null(strstr(svg, "<!--"));
    assert_null(strchr(svg, 1));
    assert_null(strchr(svg, 0xff));
    expect_in(svg, "&lt;script&gt;alert(1)&lt;!--&amp;&quot;&#39;]]&gt; \xef\xbf\xbd.cu");
    expect_in(svg, "((1 &lt; 2) &amp;&amp; 1 ? 31 : 0)");
    free(svg);
}

/* A census counts; the picture's size does not grow with the matrix. */
static void huge_matrices_are_drawn_at_once(void **state)
{
    (void)state;
    static const char *const kinds[] = {"coalescing", "banks", "punchcard", "owners", "ladder", "pitches"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char command[200];
        (void)snprintf(command, sizeof command, "%s --kind %s -m 65536 -n 65536",
                       strcmp(kinds[i], "ladder") == 0 ? "" : "padded", kinds[i]);
        char *svg = svg_of(command);
        assert_true(strlen(svg) < 400000);
        expect_in(svg, "65536 x 65536 matrix");
        free(svg);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_sectors_and_banks_of_trace),
        cmocka_unit_test(sums_are_those_of_lines),
        cmocka_unit_test(wavefronts_are_counted_once),
        cmocka_unit_test(the_ladder_has_the_numbers_of_ladder),
        cmocka_unit_test(the_curve_has_the_numbers_of_sweep),
        cmocka_unit_test(owners_are_those_of_owners),
        cmocka_unit_test(two_are_compared),
        cmocka_unit_test(the_documents_show_what_is_drawn),
        cmocka_unit_test(what_cannot_be_drawn_is_said),
        cmocka_unit_test(the_name_decides_the_format),
        cmocka_unit_test(hostile_names_are_text),
        cmocka_unit_test(huge_matrices_are_drawn_at_once),
    };
    (void)setenv("LSAN_OPTIONS", "suppressions=tests/data/fontconfig.supp:print_suppressions=0", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
