#include "html.h"

#include <stdarg.h>

#include "../picture/draw.h"
#include "../picture/escape.h"

void html_begin(const char *title, FILE *out)
{
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    (void)fprintf(out,
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                  "'unsafe-inline'; script-src '%s'; img-src data:\">\n",
                  html_script_hash);
    (void)fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<link rel=\"icon\" href=\"data:,\">\n<title>",
                out);
    write_escaped(title, out);
    (void)fputs("</title>\n<style>\n", out);
    for (const char *const *part = html_style; *part; part++)
        (void)fputs(*part, out);
    svg_style(out);
    (void)fputs("</style>\n</head>\n<body>\n<main>\n", out);
}

void html_end(FILE *out)
{
    (void)fputs("</main>\n<div id=\"say\" role=\"status\" hidden></div>\n<script>", out);
    (void)fputs(html_script, out);
    (void)fputs("</script>\n</body>\n</html>\n", out);
}

void html_text(FILE *out, const char *format, ...)
{
    char text[HTML_TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_escaped(text, out);
}

void html_heading(FILE *out, const char *id, const char *title)
{
    (void)fprintf(out, "<h2 id=\"%s\">%s</h2>\n", id, title);
}
