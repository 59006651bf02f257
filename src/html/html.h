/* html.h - a page of HTML that needs nothing but itself: no network, no fonts, no files.
 *
 * Its head forbids whatever else would be loaded, and any script but its own, so that no text of a person's
 * can become one. All text goes through html_text(): names and sources may hold anything.
 */
#ifndef LANESCOPE_HTML_HTML_H
#define LANESCOPE_HTML_HTML_H

#include <stdio.h>

void html_begin(const char *title, FILE *out);
void html_end(FILE *out);

/* The formatted text, fit to stand between tags and in quoted attributes; at most HTML_TEXT bytes of it. */
enum { HTML_TEXT = 2000 };
void html_text(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A section's heading, with the name that links lead to. */
void html_heading(FILE *out, const char *id, const char *title);

/* The page's own style and script; style.c and script.c. */
extern const char *const html_style[]; /* NULL ends it */
extern const char html_script[];
extern const char html_script_hash[]; /* "sha256-...": of html_script */

#endif
