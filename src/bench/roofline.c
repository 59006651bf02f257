/* roofline.c - the kernels of one size under the roofs of the memories, drawn with characters.
 *
 * Up: GB/s that must be moved. To the right: how much of what the L2, or shared memory, moved for it was of
 * use, from 1/64 to all of it. A memory that gives B GB/s at most lets x * B of use through: a slope, where
 * both axes are logarithms. DRAM moves the matrix once however the kernel goes about it: a level roof. A
 * kernel stands below the slope, L2 or shared memory, that leaves it less.
 */
#include <math.h>
#include <string.h>

#include "model.h"

enum {
    OCTAVES = 6,
    PER_OCTAVE = 10,
    WIDTH = OCTAVES * PER_OCTAVE + 1,
    LINES = 3 /* an octave */,
    HEIGHT = 48
};

struct chart {
    const struct bench_rows *rows;
    double top; /* GB/s of the highest line */
    unsigned height;
    char cell[HEIGHT][WIDTH + 1];
};

/* A kernel's place. */
struct point {
    const struct bench_row *row;
    enum bench_memory slope;
    double use, rate, roof;
};

static bool point_of(const struct chart *chart, const struct bench_row *row, struct point *point)
{
    struct bench_bound bound;
    if (!bench_bound_of(chart->rows, row, &bound))
        return false;
    point->row = row;
    point->slope = bound.ms[BENCH_SHARED] > bound.ms[BENCH_L2] ? BENCH_SHARED : BENCH_L2;
    if (!(bound.bytes[point->slope] > 0))
        return false;
    point->use = bound.bytes[BENCH_DRAM] / bound.bytes[point->slope];
    point->rate = bench_rate(row);
    point->roof = fmin(point->use * bench_ceiling_rate(chart->rows, point->slope),
                       bench_ceiling_rate(chart->rows, BENCH_DRAM));
    return true;
}

/* The nearest place on the chart. False: it is above, below or left of it. */
static bool place(const struct chart *chart, double use, double rate, unsigned *line, unsigned *column)
{
    double x = round((log2(use) + OCTAVES) * PER_OCTAVE), y = round((log2(chart->top) - log2(rate)) * LINES);
    x = x > WIDTH - 1 ? WIDTH - 1 : x; /* more than all: a kernel that reads a part of the matrix */
    if (!(x >= 0) || !(y >= 0) || y >= chart->height)
        return false;
    *line = (unsigned)y;
    *column = (unsigned)x;
    return true;
}

static void draw_roofs(struct chart *chart)
{
    static const char sign[BENCH_MEMORIES] = {'-', '/', ':'};
    const double level = bench_ceiling_rate(chart->rows, BENCH_DRAM);
    for (unsigned i = 0; i < WIDTH; i++) {
        double use = exp2((double)i / PER_OCTAVE - OCTAVES);
        unsigned line, column;
        for (unsigned m = BENCH_MEMORIES; m-- > 0;) {
            double rate = m == BENCH_DRAM ? level : use * bench_ceiling_rate(chart->rows, m);
            if (rate <= level && place(chart, use, rate, &line, &column))
                chart->cell[line][i] = sign[m];
        }
    }
}

static void open_chart(struct chart *chart, size_t first)
{
    const struct bench_rows *rows = chart->rows;
    double least = chart->top = bench_ceiling_rate(rows, BENCH_DRAM);
    for (size_t i = first; i < rows->count; i++) {
        struct point p;
        if (!bench_same_size(&rows->list[i], &rows->list[first]) || !point_of(chart, &rows->list[i], &p))
            continue;
        chart->top = fmax(chart->top, p.rate);
        least = fmin(least, p.rate);
    }
    double lines = ceil(log2(chart->top / least) * LINES) + 2;
    chart->height = lines < HEIGHT ? (unsigned)lines : HEIGHT;
    for (unsigned i = 0; i < chart->height; i++) {
        memset(chart->cell[i], ' ', WIDTH);
        chart->cell[i][WIDTH] = '\0';
    }
}

static void print_chart(const struct chart *chart, FILE *out)
{
    for (unsigned i = 0; i < chart->height; i++) {
        unsigned length = WIDTH;
        while (length && chart->cell[i][length - 1] == ' ')
            length--;
        if (i % LINES == 0)
            (void)fprintf(out, "%6.0f |%.*s\n", chart->top * exp2(-(double)i / LINES), (int)length,
                          chart->cell[i]);
        else
            (void)fprintf(out, "       |%.*s\n", (int)length, chart->cell[i]);
    }
    (void)fputs("       +", out);
    for (unsigned i = 0; i < WIDTH; i++)
        (void)fputc(i % PER_OCTAVE ? '-' : '+', out);
    (void)fputs("\n       1/64      1/32      1/16      1/8       1/4       1/2       1\n", out);
}

void bench_roofline(const struct bench_rows *rows, size_t first, FILE *out)
{
    static const struct column columns[] = {{"", ""},           {"", "kernel"},  {"", "of use"}, {"", "GB/s"},
                                            {"", "roof there"}, {"", "% of it"}, {"", "below"}};
    struct chart chart = {.rows = rows};
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    unsigned count = 0;
    open_chart(&chart, first);
    draw_roofs(&chart);
    for (size_t i = first; i < rows->count && count < 26; i++) {
        struct point p;
        unsigned line, column;
        if (!bench_same_size(&rows->list[i], &rows->list[first]) || !point_of(&chart, &rows->list[i], &p))
            continue;
        char letter[2] = {(char)('a' + count++), '\0'};
        if (place(&chart, p.use, p.rate, &line, &column))
            chart.cell[line][column] =
                chart.cell[line][column] >= 'a' || chart.cell[line][column] == '*' ? '*' : letter[0];
        table_text(table, letter);
        table_text(table, p.row->name);
        table_real(table, p.use, 3);
        table_real(table, p.rate, 1);
        table_real(table, p.roof, 1);
        table_real(table, 100 * p.rate / p.roof, 1);
        table_text(table, p.roof < bench_ceiling_rate(rows, BENCH_DRAM) ? bench_memory_title(p.slope)
                                                                        : bench_memory_title(BENCH_DRAM));
    }
    if (count) {
        (void)fprintf(
            out,
            "\nroofline: GB/s over the part of the moved bytes that is of use; - DRAM %.0f GB/s, / L2 %.0f "
            "GB/s,\n: shared memory %.0f GB/s, * several kernels\n",
            bench_ceiling_rate(rows, BENCH_DRAM), bench_ceiling_rate(rows, BENCH_L2),
            bench_ceiling_rate(rows, BENCH_SHARED));
        print_chart(&chart, out);
        table_write(table, FORMAT_TEXT, false, out);
    }
    table_free(table);
}
