#include "draw.h"

#include <string.h>
#include <strings.h>

static const char *const endings[] = {
    [PICTURE_TEXT] = ".txt", [PICTURE_SVG] = ".svg", [PICTURE_PNG] = ".png", [PICTURE_PDF] = ".pdf"};

bool picture_format_of(const char *path, enum picture_format *format, struct problem *problem)
{
    size_t length = strlen(path);
    for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(endings[i]);
        if (length <= size || strcasecmp(path + length - size, endings[i]) != 0)
            continue;
        *format = (enum picture_format)i;
        return true;
    }
    return problem_say(problem,
                       "%s: a picture's name ends in .svg, .png, .pdf or .txt, which says what it is", path);
}

bool picture_draw(const struct picture *picture, enum picture_format format, FILE *out,
                  struct problem *problem)
{
    if (format == PICTURE_PNG || format == PICTURE_PDF)
        return draw_cairo(picture, format == PICTURE_PDF, out, problem);
    if (format == PICTURE_SVG)
        draw_svg(picture, out);
    else
        draw_text(picture, out);
    return true;
}

struct face_type face_type_of(enum face face)
{
    static const struct face_type types[] = {
        [FACE_PLAIN] = {12, 4.2, false, false}, [FACE_BOLD] = {12.5, 4.4, true, false},
        [FACE_TITLE] = {21, 7, true, false},    [FACE_SMALL] = {10.5, 3.7, false, false},
        [FACE_CODE] = {11.5, 4, false, true},   [FACE_DIGITS] = {10, 3.6, false, true},
    };
    return types[face];
}

uint32_t color_on(enum ink ink, bool on_dark_paper)
{
    return ink_is_dark(ink, on_dark_paper) ? 0xffffff : 0x000000;
}
