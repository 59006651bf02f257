/* save.h - a canvas as a file: plain text, or an SVG picture with the colours of palette.h. */
#ifndef LANESCOPE_TUI_SAVE_H
#define LANESCOPE_TUI_SAVE_H

#include <stdio.h>

#include "../../base/problem.h"
#include "canvas.h"

void save_text(const struct canvas *canvas, FILE *out); /* UTF-8, no spaces at line ends */
void save_svg(const struct canvas *canvas, FILE *out);

/* SVG for a name that ends in .svg, else text. False: the file exists already and is left alone, or could not
 * be written whole. */
bool save_file(const struct canvas *canvas, const char *path, struct problem *problem);

#endif
