#include "headnote.h"

#include <string.h>

static bool take_key(const char **line, size_t *size, const char *key)
{
    size_t length = strlen(key);
    if (*size <= length || memcmp(*line, key, length) != 0 || (*line)[length] != ':')
        return false;
    *line += length + 1;
    *size -= length + 1;
    while (*size && (**line == ' ' || **line == '\t')) {
        ++*line;
        --*size;
    }
    return true;
}

static void take_line(struct headnote *note, const struct source *text, const char *line, size_t size)
{
    struct {
        const char *key;
        struct source *value;
    } keys[] = {{"title", &note->title}, {"purpose", &note->purpose}, {"block", &note->block},
                {"grid", &note->grid},   {"shared", &note->shared},   {"task", &note->task},
                {"pitch", &note->pitch}, {"finding", &note->finding}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (take_key(&line, &size, keys[i].key)) {
            *keys[i].value = (struct source){text->name, line, size};
            return;
        }
    if (note->argument_count < HEADNOTE_ARGUMENT_LIMIT && take_key(&line, &size, "arg"))
        note->arguments[note->argument_count++] = (struct source){text->name, line, size};
}

/* Past blanks and block comments, a licence for example, from `at`. */
static size_t skip_block_comments(const struct source *text, size_t at)
{
    for (;;) {
        while (at < text->size && strchr(" \t\r\n", text->bytes[at]))
            at++;
        if (at + 1 >= text->size || text->bytes[at] != '/' || text->bytes[at + 1] != '*')
            return at;
        for (at += 2; at + 1 < text->size && !(text->bytes[at] == '*' && text->bytes[at + 1] == '/'); at++)
            ;
        at += 2;
    }
}

void headnote_read(const struct source *text, struct headnote *note)
{
    *note = (struct headnote){0};
    for (size_t at = skip_block_comments(text, source_text_begin(text)); at < text->size;
         at = skip_block_comments(text, at)) {
        const char *line = text->bytes + at;
        const char *newline = memchr(line, '\n', text->size - at);
        size_t size = newline ? (size_t)(newline - line) : text->size - at;
        at += size + 1;
        while (size && (line[size - 1] == '\r' || line[size - 1] == ' '))
            size--;
        if (size < 2 || line[0] != '/' || line[1] != '/')
            return;
        line += 2;
        size -= 2;
        while (size && (*line == ' ' || *line == '\t')) {
            line++;
            size--;
        }
        take_line(note, text, line, size);
    }
}

bool headnote_says(const struct source *value, const char *word)
{
    return value->size == strlen(word) && memcmp(value->bytes, word, value->size) == 0;
}
