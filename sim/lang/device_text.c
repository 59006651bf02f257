/* device_text.c - the bytes that are kept, and those that are written. */
#include "device_state.h"

#include <stdio.h>
#include <string.h>

struct piece *device_piece(struct part *part, const struct source *source)
{
    struct piece *piece = part->pieces;
    while (piece && piece->source != source)
        piece = piece->next;
    if (piece)
        return piece;
    piece = arena_take(&part->arena, sizeof *piece);
    *piece = (struct piece){
        .source = source, .keep = arena_take(&part->arena, source->size + 1), .next = part->pieces};
    part->pieces = piece;
    return piece;
}

/* What the tokens cover in the text where they begin. */
static void keep_bytes(struct part *part, const struct token *begin, const struct token *end, bool value)
{
    if (begin >= end)
        return;
    const struct source *source = begin->source;
    size_t from = source->size, to = 0;
    for (const struct token *at = begin; at < end; at++) {
        if (at->source != source)
            continue;
        from = at->begin < from ? at->begin : from;
        to = at->end > to && at->end <= source->size ? at->end : to;
    }
    if (from < to)
        memset(device_piece(part, source)->keep + from, value, to - from);
}

/* Takes the host's functions out of a class. */
static void drop_members(struct part *part, const struct item *item)
{
    const struct token *end = item->body ? token_after_brackets(item->body) - 1 : NULL;
    for (const struct token *at = item->body ? item->body + 1 : NULL; at && at < end;) {
        struct item member = item_at(at, true);
        if (member.kind == ITEM_CLASS)
            drop_members(part, &member);
        bool is_default = member.end - member.begin > 2 && token_is(member.end - 2, "default");
        if (member.kind == ITEM_FUNCTION && !member.is_device && !is_default && !member.begin->expanded &&
            member.end <= end)
            keep_bytes(part, member.begin, member.end, false);
        at = member.end;
    }
}

/* using namespace std; namespace cg = cooperative_groups; and namespaces of the text. */
static bool is_known_namespace(struct part *part, const struct item *item)
{
    const struct token *at = item->begin;
    bool is_using = token_is(at, "using") && token_is(at + 1, "namespace");
    bool is_alias = token_is(at, "namespace") && token_is_punct(at + 2, '=');
    if (!is_using && !is_alias)
        return false;
    const struct token *name = is_using ? at + 2 : at + 3;
    if (token_is(name, "std") || token_is(name, "cooperative_groups"))
        return true;
    for (size_t i = 0; i < part->count; i++)
        if (part->items[i].kind == ITEM_WRAPPER)
            for (const struct token *t = part->items[i].begin; t < part->items[i].end; t++)
                if (t->kind == TOKEN_NAME && t->length == name->length &&
                    memcmp(t->text, name->text, t->length) == 0)
                    return true;
    return false;
}

void device_keep_items(struct part *part)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct item *item = &part->items[i];
        bool always = item->kind == ITEM_WRAPPER || item->kind == ITEM_CLOSING;
        if (item->kind == ITEM_OTHER &&
            (token_is(item->begin, "using") || token_is(item->begin, "namespace")) &&
            is_known_namespace(part, item))
            always = true;
        if (always || part->needed[i])
            keep_bytes(part, item->begin, item->end, true);
    }
    for (size_t i = 0; i < part->count; i++)
        if (part->needed[i] && part->items[i].kind == ITEM_CLASS)
            drop_members(part, &part->items[i]);
}

/* The text of the #include at `hash`, where the preprocessor read it; NULL. */
static const struct source *included_at(struct part *part, const struct source *from,
                                        const struct token *hash, const struct token *end)
{
    const struct include_reader *reader = part->request->includes;
    char path[400];
    if (!reader || part->request->keeps_includes ||
        !preprocess_include_name(hash + 2, end, path, sizeof path))
        return NULL;
    return reader->read(reader->self, path, from);
}

/* #ifndef NAME, #define NAME, ..., #endif: a header that is empty the second time. */
static bool is_guarded(const struct token_list *raw)
{
    const struct token *t = raw->at;
    size_t count = raw->count;
    if (count < 9 || !token_is_punct(t, '#') || !token_is(t + 1, "ifndef") || !token_is_punct(t + 3, '#') ||
        !token_is(t + 4, "define") || !token_same_name(t + 2, t + 5))
        return false;
    unsigned depth = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        if (!t[i].starts_line || !token_is_punct(&t[i], '#'))
            continue;
        depth += token_is(&t[i + 1], "if") || token_is(&t[i + 1], "ifdef") || token_is(&t[i + 1], "ifndef");
        if (token_is(&t[i + 1], "endif") && --depth == 0) /* of the first; whatever follows is not guarded */
            return i + 3 >= count;
    }
    return false;
}

/* Directives stay, whatever is around them; pragmas only with it. */
bool device_keep_directives(struct part *part, struct piece *piece, unsigned depth, struct problem *problem)
{
    struct token_list raw = {0};
    piece->scanned = true;
    bool ok = tokens_of(piece->source, &raw, problem);
    piece->once = piece->once || (ok && depth && is_guarded(&raw));
    for (size_t i = 0; ok && i + 1 < raw.count;) {
        const struct token *hash = &raw.at[i++];
        if (!hash->starts_line || !token_is_punct(hash, '#'))
            continue;
        while (i + 1 < raw.count && !raw.at[i].starts_line)
            i++;
        const struct token *end = &raw.at[i];
        bool is_include = token_is(hash + 1, "include");
        if (token_is(hash + 1, "pragma")) {
            piece->once = piece->once || token_is(hash + 2, "once");
            continue;
        }
        keep_bytes(part, hash, end, !is_include || part->request->keeps_includes);
        const struct source *source = is_include ? included_at(part, piece->source, hash, end) : NULL;
        if (!source || depth == SPLICE_DEPTH)
            continue;
        struct piece *inner = device_piece(part, source);
        piece->splices = memory_resize(piece->splices, piece->splice_count + 1, sizeof *piece->splices);
        piece->splices[piece->splice_count++] = (struct splice){hash->begin, end[-1].end, inner};
        struct problem ignored = {0}; /* not understood: passed over, as the preprocessor did */
        if (!inner->scanned)
            (void)device_keep_directives(part, inner, depth + 1, &ignored);
    }
    token_list_free(&raw);
    return ok;
}

static void put(struct sheet *sheet, char c)
{
    if (sheet->size + 1 >= sheet->capacity) {
        sheet->capacity = 2 * sheet->capacity + 4096;
        sheet->bytes = memory_resize(sheet->bytes, sheet->capacity, 1);
    }
    sheet->bytes[sheet->size++] = c;
    sheet->bytes[sheet->size] = '\0';
}

static void put_line(struct sheet *sheet, int line, const char *name)
{
    char text[40];
    (void)snprintf(text, sizeof text, "\n#line %d \"", line);
    for (const char *c = text; *c; c++)
        put(sheet, *c);
    for (const char *c = name; *c; c++)
        put(sheet, *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? '_' : *c);
    put(sheet, '"');
    put(sheet, '\n');
}

/* The piece with those that it includes in their places. */
bool device_write(const struct part *part, struct piece *piece, unsigned depth, struct sheet *sheet)
{
    const struct source *source = piece->source;
    const char *name = depth ? source->name : DEVICE_PART_FILE;
    size_t next = 0;
    int line = 1;
    piece->written = true;
    for (size_t i = 0; i < source->size && sheet->size < PART_LIMIT; i++) {
        const struct splice *splice = next < piece->splice_count ? &piece->splices[next] : NULL;
        char c = source->bytes[i];
        if (splice && i == splice->begin) {
            next++;
            if (!(splice->piece->once && splice->piece->written) && depth < SPLICE_DEPTH) {
                put_line(sheet, 1, splice->piece->source->name);
                if (!device_write(part, splice->piece, depth + 1, sheet))
                    return false;
                put_line(sheet, line, name);
            }
        }
        line += c == '\n';
        put(sheet, c == '\n' || piece->keep[i] ? c : ' ');
    }
    return sheet->size < PART_LIMIT;
}
