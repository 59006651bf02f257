/* device_state.h - what the files of the device part share. Inside lang; others use device_part.h. */
#ifndef LANESCOPE_LANG_DEVICE_STATE_H
#define LANESCOPE_LANG_DEVICE_STATE_H

#include "../../base/arena.h"
#include "device_part.h"
#include "item.h"

/* A name that items declare, or that what is kept speaks of. */
struct name {
    const char *text;
    uint32_t length;
    bool is_needed;
    struct declaration {
        size_t item;
        struct declaration *next;
    } * items;         /* that declare it */
    struct name *next; /* of its bucket */
};

enum { NAME_BUCKETS = 4096, NAMESPACE_DEPTH = 16, SPLICE_DEPTH = 32, PART_LIMIT = 32 << 20 };

/* A text: the file, or one that is included. */
struct piece {
    const struct source *source;
    bool *keep; /* a byte of it */
    struct splice {
        size_t begin, end; /* of the directive */
        struct piece *piece;
    } * splices; /* in the order of the text */
    size_t splice_count;
    bool once, scanned, written;
    struct piece *next;
};

struct part {
    const struct device_part_request *request;
    struct arena arena;
    struct preprocessor pre;
    struct item *items;
    bool *needed;  /* an item is kept */
    char **scopes; /* the namespaces around an item */
    size_t count, capacity;
    size_t *queue; /* items whose names are still to be followed */
    size_t queued, followed;
    struct name *names[NAME_BUCKETS];
    struct piece *pieces;
};

struct sheet {
    char *bytes;
    size_t size, capacity;
};

/* device_names.c: the text's items, the names that they declare, and what is needed: a kernel, then what its
 * names lead to, followed until there is no more. */
void device_cut(struct part *part);
void device_need_item(struct part *part, size_t index);
void device_need_name(struct part *part, const struct token *token);
void device_follow(struct part *part);
struct name *device_name(struct part *part, const struct token *token);
bool device_is_word(const struct token *at); /* C++'s own, which declares nothing */

/* device_text.c: the bytes that are kept, of the text and of those that it includes. */
struct piece *device_piece(struct part *part, const struct source *source);
void device_keep_items(struct part *part);
bool device_keep_directives(struct part *part, struct piece *piece, unsigned depth, struct problem *problem);
bool device_write(const struct part *part, struct piece *piece, unsigned depth, struct sheet *sheet);

#endif
