#include "modular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/model/bank.h"
#include "../../sim/model/residue.h"

/* The story: standing still, walking, striding, and the banks. */
static const struct {
    unsigned modulus, stride;
} examples[] = {{16, 0}, {16, 1}, {16, 2}, {16, 6}, {16, 15}, {32, 1}, {32, 32}, {32, 33}, {32, 34}};

enum { EXAMPLES = sizeof examples / sizeof *examples };

unsigned lab_period(unsigned modulus, unsigned stride)
{
    return residue_period(modulus, stride);
}

unsigned lab_residue(const struct lab *lab, unsigned k)
{
    return residue_at(lab->modulus, lab->stride, k);
}

bool lab_is_revealed(const struct lab *lab)
{
    return lab->predicted && lab->shown == lab_period(lab->modulus, lab->stride);
}

void lab_reset(struct lab *lab, unsigned modulus, unsigned stride)
{
    *lab = (struct lab){.modulus = modulus < 1                   ? 1
                                   : modulus > LAB_MODULUS_LIMIT ? LAB_MODULUS_LIMIT
                                                                 : modulus,
                        .stride = stride > LAB_STRIDE_LIMIT ? LAB_STRIDE_LIMIT : stride};
}

bool lab_step(struct lab *lab)
{
    if (!lab->predicted || lab_is_revealed(lab))
        return lab->playing = false;
    lab->shown++;
    return true;
}

bool lab_step_back(struct lab *lab)
{
    if (!lab->shown)
        return false;
    lab->shown--;
    return true;
}

void lab_type(struct lab *lab, char digit)
{
    size_t length = strlen(lab->typed);
    if (!lab->predicted && length < 4) {
        lab->typed[length] = digit;
        lab->typed[length + 1] = '\0';
    }
}

void lab_answer(struct lab *lab)
{
    if (lab->predicted || !lab->typed[0])
        return;
    lab->prediction = (unsigned)strtoul(lab->typed, NULL, 10); /* at most four digits */
    lab->predicted = true;
}

void lab_next_example(struct lab *lab)
{
    int next = 0;
    for (int i = 0; i < EXAMPLES; i++)
        if (examples[i].modulus == lab->modulus && examples[i].stride == lab->stride)
            next = (i + 1) % EXAMPLES;
    lab_reset(lab, examples[next].modulus, examples[next].stride);
}

/* When residue r is reached: k + 1, or 0 if it has not been so far. */
static unsigned reached(const struct lab *lab, unsigned residue)
{
    for (unsigned k = 0; k < lab->shown; k++)
        if (lab_residue(lab, k) == residue)
            return k + 1;
    return 0;
}

static void draw_residue(struct canvas *canvas, const struct rect *area, int row, int col,
                         const struct lab *lab, unsigned residue)
{
    unsigned when = reached(lab, residue);
    bool last = when && when == lab->shown;
    enum style style = last ? STYLE_PART : when ? STYLE_MARK : STYLE_INACTIVE;
    canvas_format(canvas, area, row, col, style, "%c%2u%c",
                  last   ? '>'
                  : when ? '['
                         : ' ',
                  residue,
                  last   ? '<'
                  : when ? ']'
                         : ' ');
}

static void draw_ring(struct canvas *canvas, const struct rect *area, const struct lab *lab)
{
    double middle_row = (area->rows - 1) / 2.0, radius = middle_row - 0.5;
    double middle_col = (area->cols - 4) / 2.0, wide = fmin(radius * 2.4, middle_col);
    for (unsigned residue = 0; residue < lab->modulus; residue++) {
        double angle = 6.283185307179586 * residue / lab->modulus;
        draw_residue(canvas, area, (int)lround(middle_row - radius * cos(angle)),
                     (int)lround(middle_col + wide * sin(angle)), lab, residue);
    }
    canvas_format(canvas, area, (int)middle_row, (int)middle_col - 3, STYLE_TITLE, "m = %u", lab->modulus);
    canvas_format(canvas, area, (int)middle_row + 1, (int)middle_col - 3, STYLE_TITLE, "a = %u", lab->stride);
}

static void draw_row(struct canvas *canvas, const struct rect *area, const struct lab *lab)
{
    int across = area->cols / 5;
    for (unsigned residue = 0; across > 0 && residue < lab->modulus; residue++)
        draw_residue(canvas, area, (int)residue / across, (int)residue % across * 5, lab, residue);
}

/* The column of 4-byte elements that the residues stand for, by the rule of the banks. */
static void draw_banks(struct canvas *canvas, const struct rect *area, int row, const struct lab *lab)
{
    int64_t delta[BANK_COUNT];
    for (unsigned lane = 0; lane < BANK_COUNT; lane++)
        delta[lane] = (int64_t)(lane * lab->stride * BANK_BYTES);
    const struct lanes lanes = {
        .lane_bytes = BANK_BYTES, .is_load = true, .mask = UINT32_MAX, .delta = delta};
    unsigned banks = bank_spread_of(&lanes).banks, units = bank_cost_of(&lanes).wavefronts;
    canvas_format(canvas, area, row, 0, STYLE_TEXT,
                  "As 32 banks: a column of a tile with pitch %u meets %u bank%s: %u wavefront%s.",
                  lab->stride, banks, banks == 1 ? "" : "s", units, units == 1 ? "" : "s, one after another");
}

static void draw_verdict(struct canvas *canvas, const struct rect *area, int row, const struct lab *lab)
{
    unsigned period = lab_period(lab->modulus, lab->stride), g = lab->modulus / period;
    if (!lab->predicted) {
        int used = canvas_format(canvas, area, row, 0, STYLE_TEXT,
                                 "Predict: after how many steps is k * %u mod %u back at 0? ", lab->stride,
                                 lab->modulus);
        canvas_format(canvas, area, row, used, STYLE_PROMPT, "%s_", lab->typed);
        canvas_text(canvas, area, row + 1, 0, STYLE_DIM, "Type a number and press Enter; then it runs.");
        return;
    }
    if (!lab_is_revealed(lab)) {
        canvas_format(canvas, area, row, 0, STYLE_TEXT,
                      "You predicted %u. Step or play until it comes round.", lab->prediction);
        return;
    }
    canvas_format(canvas, area, row, 0, lab->prediction == period ? STYLE_GOOD : STYLE_WARN,
                  "Period %u = m / gcd(a, m) = %u / %u. You predicted %u: %s.", period, lab->modulus, g,
                  lab->prediction, lab->prediction == period ? "right" : "not this time");
    if (lab->modulus == BANK_COUNT)
        draw_banks(canvas, area, row + 1, lab);
    else
        canvas_format(canvas, area, row + 1, 0, STYLE_TEXT,
                      "%u of %u residues are reached, each once a round.", period, lab->modulus);
}

/* 0, 6, 12, 2, ...: the residues in the order they come. */
static void draw_sequence(struct canvas *canvas, const struct rect *area, int row, int lines,
                          const struct lab *lab)
{
    int col = canvas_text(canvas, area, row, 0, STYLE_DIM, "k*a mod m: "), end = row + lines;
    for (unsigned k = 0; k < lab->shown; k++) {
        if (col + 5 > area->cols) {
            col = 0;
            row++;
        }
        if (row < end)
            col += canvas_format(canvas, area, row, col, k + 1 == lab->shown ? STYLE_PART : STYLE_VALUE, "%u",
                                 lab_residue(lab, k));
        col++;
    }
}

void lab_draw(struct canvas *canvas, const struct rect *area, const struct lab *lab)
{
    struct rect inside = canvas_box(canvas, area, STYLE_FOCUS, "modular lab: residues of k * a mod m");
    struct rect text = rect_part(&inside, 0, 1, inside.rows, inside.cols - 2);
    canvas_text(canvas, &text, 0, 0, STYLE_DIM,
                "Lane k of a column read lands in bank k * pitch mod 32. Here: k * a mod m.");
    draw_verdict(canvas, &text, 1, lab);
    int lines = lab->modulus > 40 ? 5 : 2;
    draw_sequence(canvas, &text, 3, lines, lab);
    struct rect figure = rect_part(&text, 4 + lines, 0, text.rows - 4 - lines, text.cols);
    if ((int)lab->modulus * 2 <= figure.rows * 5 && figure.rows >= 9 && figure.cols >= 40)
        draw_ring(canvas, &figure, lab);
    else
        draw_row(canvas, &figure, lab);
}
