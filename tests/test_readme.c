/* test_readme.c - the README's picture is a screen of this program: UPDATE_GOLDENS=1 in front of this test
 * draws it anew.
 */
#include "tui_support.h"

#define PICTURE "docs/pictures/tui.svg"

/* "tiled" at its costliest access, as the UI shows it once it had time to count the launch. */
static char *drawn(void)
{
    struct state state;
    struct canvas canvas;
    char *text = NULL;
    size_t size = 0;
    open_state(&state, "tiled", (struct scenario_options){0}, 32, 112);
    finish_work(&state);
    canvas_init(&canvas, state.rows, state.cols, false);
    view_draw(&canvas, &state);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    save_svg(&canvas, out);
    assert_int_equal(fclose(out), 0);
    canvas_free(&canvas);
    state_free(&state);
    return text;
}

static void the_picture_is_what_the_program_draws(void **state)
{
    (void)state;
    char *now = drawn();
    const char *update = getenv("UPDATE_GOLDENS");
    if (update && *update) {
        FILE *out = fopen(PICTURE, "w");
        assert_non_null(out);
        assert_true(fputs(now, out) >= 0);
        assert_int_equal(fclose(out), 0);
    }
    char *before = read_file(PICTURE);
    if (strcmp(now, before) != 0)
        fail_msg(PICTURE
                 " is another screen: UPDATE_GOLDENS=1 make test ONLY=test_readme draws it anew; look at it");
    assert_non_null(strstr(now, "32 wavefronts, one after another"));
    free(before);
    free(now);
}

/* A README without it shows nothing. */
static void the_readme_shows_it(void **state)
{
    (void)state;
    char *readme = read_file("README.md");
    const char *picture = strstr(readme, "](" PICTURE ")"), *command = strstr(readme, "```console");
    assert_non_null(picture);
    assert_true(command && picture < command);
    free(readme);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_picture_is_what_the_program_draws),
        cmocka_unit_test(the_readme_shows_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
