#include "page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TITLE_ROW         1.4
#define CONFIGURATION_ROW 3.0
#define PANEL_ROW         5.0
#define LEGEND_ROW        43.8
#define SOURCE_ROW        46.3

const char *cut_to(struct picture *picture, const char *text, double cols)
{
    char *copy = (char *)(uintptr_t)picture_copy(picture, text); /* ours until it is placed */
    if ((double)text_columns(copy) <= cols)
        return copy;
    char *at = copy;
    for (double column = 0; *at && column < cols - 1; column++)
        do
            at++;
        while (((unsigned char)*at & 0xc0) == 0x80);
    *at = '\0';
    char *longer = arena_take(&picture->arena, strlen(copy) + 4);
    (void)sprintf(longer, "%s\xe2\x80\xa6", copy);
    return longer;
}

void page_init(struct picture *picture, const char *title)
{
    picture_init(picture, PAGE_COLS, PAGE_ROWS);
    picture->title = picture_copy(picture, title);
    picture_text(picture, PAGE_EDGE, TITLE_ROW, FACE_TITLE, ANCHOR_START, INK_TEXT, "%s",
                 cut_to(picture, title, 88));
}

static void place_line(struct picture *picture, double row, const char *line)
{
    picture_text(picture, PAGE_EDGE, row, FACE_PLAIN, ANCHOR_START, INK_DIM, "%s",
                 cut_to(picture, line, PAGE_COLS - 2 * PAGE_EDGE));
}

void page_configuration(struct picture *picture, const struct subject *subjects, unsigned count)
{
    char line[SUBJECT_LINE], name[SUBJECT_LINE], all[2 * SUBJECT_LINE + 2];
    bool is_pitches = count == 2 && strcmp(subjects[0].name, subjects[1].name) == 0;
    if (count == 1 || is_pitches) {
        subject_configuration(&subjects[0], is_pitches ? &subjects[1] : NULL, line);
        place_line(picture, CONFIGURATION_ROW, line);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        subject_configuration(&subjects[i], NULL, line);
        subject_short(&subjects[i], name);
        (void)snprintf(all, sizeof all, "%s: %s", name, line);
        place_line(picture, CONFIGURATION_ROW - 0.2 + i, all);
    }
}

struct area page_panel(unsigned index, unsigned count)
{
    double cols = count == 1 ? PAGE_COLS - 2 * PAGE_EDGE : PANEL_COLS;
    double gap = PAGE_COLS - 2 * PAGE_EDGE - 2 * PANEL_COLS;
    return (struct area){PAGE_EDGE + index * (PANEL_COLS + gap), PANEL_ROW, cols, PANEL_ROWS};
}

struct legend page_legend(struct picture *picture, double indent)
{
    return legend_at(picture, PAGE_EDGE + indent, LEGEND_ROW, PAGE_COLS - 2 * PAGE_EDGE - indent);
}

void page_source(struct picture *picture, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    picture_line(picture, PAGE_EDGE, SOURCE_ROW - 0.3, PAGE_COLS - 2 * PAGE_EDGE, 0, 0.7, INK_RULE);
    picture_text(picture, PAGE_EDGE, SOURCE_ROW, FACE_SMALL, ANCHOR_START, INK_DIM, "%s", text);
    picture_text(picture, PAGE_COLS - PAGE_EDGE, SOURCE_ROW, FACE_SMALL, ANCHOR_END, INK_DIM, "lanescope");
}
