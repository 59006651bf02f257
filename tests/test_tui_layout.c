/* test_tui_layout.c - rectangles at every size: inside the screen, never over one another. */
#include "tui_support.h"

struct list {
    struct rect at[2 * PANE_COUNT + 8];
    int count;
};

static void add(struct list *list, const struct rect *rect)
{
    assert_true(rect->rows >= 0 && rect->cols >= 0);
    if (rect->rows > 0 && rect->cols > 0)
        list->at[list->count++] = *rect;
}

static bool overlap(const struct rect *a, const struct rect *b)
{
    return a->row < b->row + b->rows && b->row < a->row + a->rows && a->col < b->col + b->cols &&
           b->col < a->col + a->cols;
}

static void check(const struct layout_wish *wish)
{
    struct layout layout = layout_of(wish);
    struct list list = {.count = 0};
    assert_int_equal(layout.too_small, wish->rows < LAYOUT_ROWS || wish->cols < LAYOUT_COLS);
    int sides = wish->compare ? 2 : 1, panes = 0;
    for (int side = 0; side < 2; side++) {
        add(&list, &layout.header[side]);
        if (side == 0)
            add(&list, &layout.where);
        for (int pane = 0; pane < PANE_COUNT; pane++) {
            int before = list.count;
            const struct rect *rect = &layout.pane[side][pane];
            add(&list, rect);
            if (list.count == before)
                continue;
            panes++;
            assert_true(rect->row >= layout.body.row &&
                        rect->row + rect->rows <= layout.body.row + layout.body.rows);
            assert_true(rect->rows >= 3 && rect->cols >= 20);
        }
    }
    add(&list, &layout.hint);
    add(&list, &layout.bar);
    for (int i = 0; i < list.count; i++) {
        const struct rect *a = &list.at[i];
        assert_true(a->row >= 0 && a->col >= 0 && a->row + a->rows <= wish->rows &&
                    a->col + a->cols <= wish->cols);
        for (int k = 0; k < i; k++)
            assert_false(overlap(a, &list.at[k]));
    }
    if (layout.too_small) {
        assert_int_equal(list.count, 0);
        return;
    }
    assert_int_equal(panes % sides, 0);
    assert_true(wish->zoom ? panes == sides : panes >= 3 * sides);
    /* the focused pane is there: as itself, or because all that is beside it always is */
    assert_true(layout.pane[0][wish->focus].rows > 0);
    /* and the panes fill the body */
    int64_t cells = 0;
    for (int side = 0; side < sides; side++)
        for (int pane = 0; pane < PANE_COUNT; pane++)
            cells += (int64_t)layout.pane[side][pane].rows * layout.pane[side][pane].cols;
    assert_int_equal(cells, (int64_t)layout.body.rows * layout.body.cols);
}

static void no_size_makes_rectangles_overlap_or_leave_the_screen(void **state)
{
    (void)state;
    for (int cols = 1; cols <= 300; cols++)
        for (int rows = 1; rows <= 100; rows++)
            for (int focus = 0; focus < PANE_COUNT; focus++)
                for (int bits = 0; bits < 4; bits++) {
                    struct layout_wish wish = {rows, cols, bits & 1, (enum pane)focus, bits & 2};
                    check(&wish);
                }
}

static void the_wide_screen_shows_all_five_panes(void **state)
{
    (void)state;
    struct layout_wish wish = {60, 200, false, PANE_TILE, false};
    struct layout layout = layout_of(&wish);
    for (int pane = 0; pane < PANE_COUNT; pane++)
        assert_true(layout.pane[0][pane].rows > 0);
    struct layout_wish least = {40, 150, false, PANE_TILE, false}; /* as docs/tui.md says */
    struct layout smallest = layout_of(&least);
    for (int pane = 0; pane < PANE_COUNT; pane++)
        assert_true(smallest.pane[0][pane].rows > 0);
    /* 32 lanes and 32 rows of the tile need no scrolling there */
    assert_true(layout.pane[0][PANE_LANES].rows >= 32 + 3);
    assert_true(layout.pane[0][PANE_TILE].rows >= 32 + 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_size_makes_rectangles_overlap_or_leave_the_screen),
        cmocka_unit_test(the_wide_screen_shows_all_five_panes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
