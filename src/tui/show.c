#include "show.h"

#include "find.h"

enum { SHIFT_STEP = 8, SHIFT_MOST = 400, SCROLL_STEP = 8, SCROLL_MOST = 4096, MAP_ZOOM_MOST = 32 };

void show_pane(struct state *state, int by)
{
    state->focus = (enum pane)(((int)state->focus + by + PANE_COUNT) % PANE_COUNT);
    state->scroll = 0;
}

void show_pane_number(struct state *state, int pane)
{
    state->focus = (enum pane)pane;
    state->view = VIEW_PANES;
    state->scroll = 0;
}

void show_zoomed(struct state *state)
{
    state->zoom = !state->zoom;
    state->scroll = 0;
}

void show_tile_view(struct state *state)
{
    static const char *const names[TILE_VIEWS] = {
        "the tile's cells with their banks", "the punch card, lane by bank",
        "the wavefronts, one after another", "the launch: what each cell and bank costs"};
    state->tile_view = (enum tile_view)((state->tile_view + 1) % TILE_VIEWS);
    if (state->focus == PANE_SOURCE || state->focus == PANE_TOTALS)
        state->focus = PANE_TILE;
    state->scroll = 0;
    state_say(state, false, names[state->tile_view]);
}

void show_heat_mode(struct state *state)
{
    static const char *const names[HEAT_MODES] = {"heatmap: sectors against their ideal",
                                                  "heatmap: sectors a request",
                                                  "heatmap: wavefronts against their ideal", "heatmap: off"};
    state->heat_mode = (enum heat_mode)((state->heat_mode + 1) % HEAT_MODES);
    state_say(state, false, names[state->heat_mode]);
}

void show_map(struct state *state, int by)
{
    bool is_shown = state->layout.pane[state->active][PANE_MATRIX].rows > 0;
    const struct side *side = state_side(state);
    if (by > 0 && is_shown && side->has_heat && side->heat.geometry.scale == 1)
        state_say(state, false, "the map shows single elements: it goes no further in");
    else if (by > 0 ? state->map_zoom < MAP_ZOOM_MOST : state->map_zoom > 0)
        state->map_zoom += (unsigned)by;
    if (by < 0 && state->map_zoom == 0)
        state_say(state, false, "the map shows the whole matrix");
    state->view = VIEW_PANES;
    if (is_shown)
        return;
    state->focus = PANE_MATRIX; /* it comes forward */
    state->scroll = 0;
}

void show_scrolled(struct state *state, int by)
{
    if (by > 0 && state->scroll < SCROLL_MOST)
        state->scroll += SCROLL_STEP;
    else if (by < 0)
        state->scroll = state->scroll > SCROLL_STEP ? state->scroll - SCROLL_STEP : 0;
}

void show_ascii(struct state *state)
{
    state->ascii = !state->ascii;
}

void show_owners(struct state *state)
{
    state->view = state->view == VIEW_OWNERS ? VIEW_PANES : VIEW_OWNERS;
}

void show_lab(struct state *state)
{
    state->view = VIEW_LAB;
    state->playing = false;
}

void show_shifted(struct state *state, int by)
{
    int shift = state->shift + SHIFT_STEP * by;
    state->shift = shift < 0 ? 0 : shift > SHIFT_MOST ? SHIFT_MOST : shift;
}

void show_light(struct state *state)
{
    state->light = !state->light;
    state_say(state, false,
              state->light ? "colours for a light background" : "colours for a dark background");
}

/* Help or glossary over what is shown, one in the place of the other, or what was there before. */
static void show_page(struct state *state, enum view page)
{
    bool is_page = state->view == VIEW_HELP || state->view == VIEW_GLOSSARY;
    if (is_page && (state->view == page || page == VIEW_HELP)) {
        state->view = state->back;
    } else {
        state->back = is_page ? state->back : state->view;
        state->view = page;
    }
    state->scroll = 0;
    find_forget(state);
}

void show_help(struct state *state)
{
    show_page(state, VIEW_HELP);
}

void show_glossary(struct state *state)
{
    show_page(state, VIEW_GLOSSARY);
}

void show_panes(struct state *state)
{
    state->view = VIEW_PANES;
    state->zoom = false;
    state->shift = 0;
    find_forget(state);
}
