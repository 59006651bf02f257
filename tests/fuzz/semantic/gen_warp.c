/* gen_warp.c - what lanes of a warp say to each other: shuffles, votes, cooperative groups, atomics.
 *
 * On the host each such call has a number, under which the lanes of a warp that are there meet. Where not all
 * 32 lanes are there, only forms are printed in which every lane reads from one that is.
 */
#include "gen.h"

#include <stdio.h>
#include <string.h>

static const struct ctype INT = {'i', 4, 1, true};
static const struct ctype UINT = {'i', 4, 1, false};

static bool possible_here(const struct gen *g)
{
    return !g->no_warp && !g->pure && !g->in_macro && !g->in_member && !(g->serial & 0x80000000u);
}

static void waits(struct gen *g)
{
    if (g->capturing)
        g->capturing->waits = true;
}

/* name(number, mask, ...: both texts, up to the comma after the mask. */
static size_t open_call(struct gen *g, const char *name)
{
    static const char *const masks[] = {"0xffffffff", "0xffffffffu", "~0u", "-1"};
    both(g, "%s(", name);
    size_t at = id_open(g);
    text_add(&g->host, ", ");
    both(g, "%s, ", masks[chance(g, 4)]);
    waits(g);
    return at;
}

static void value(struct gen *g, unsigned depth)
{
    static const char *const casts[] = {"(int)", "(unsigned)", "(long long)", "(unsigned long long)", "+"};
    both(g, "%s(", casts[chance(g, 5)]);
    gen_index(g, depth);
    both(g, ")");
}

static struct ctype shuffle(struct gen *g, unsigned depth)
{
    static const char *const names[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                        "__shfl_xor_sync"};
    uint32_t kind = chance(g, 4), width = 32;
    if (!g->full) { /* from the first lane that is here, or from oneself */
        kind = chance(g, 3) ? 0 : 1 + chance(g, 3);
        size_t at = open_call(g, names[kind]);
        value(g, depth);
        if (kind) {
            both(g, ", 0)");
        } else {
            both(g, ", __ffs(__activemask(");
            size_t inner = id_open(g);
            both(g, ")) - 1)");
            id_close(g, inner);
        }
        id_close(g, at);
        return type_make('i', 8, 1, true);
    }
    size_t at = open_call(g, names[kind]);
    value(g, depth);
    both(g, ", ");
    if (one_in(g, 3))
        width = 1u << chance(g, 6);
    if (kind == 0)
        gen_index(g, depth);
    else if (kind == 3)
        gen_small(g, width - 1);
    else if (one_in(g, 3))
        gen_small(g, 31);
    else
        both(g, "%u", chance(g, 9));
    both(g, width == 32 ? ")" : ", %u)", width);
    id_close(g, at);
    return type_make('i', 8, 1, true);
}

struct ctype gen_warp(struct gen *g, unsigned depth, bool *possible)
{
    static const char *const votes[] = {"__ballot_sync", "__any_sync", "__all_sync"};
    static const char *const reductions[] = {"__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync",
                                             "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync"};
    *possible = possible_here(g);
    if (!*possible)
        return INT;
    depth = depth ? depth - 1 : 0;
    uint32_t kind = chance(g, 10);
    if (kind < 4)
        return shuffle(g, depth);
    if (kind < 7) {
        uint32_t which = chance(g, 3);
        size_t at = open_call(g, votes[which]);
        gen_condition(g, depth);
        both(g, ")");
        id_close(g, at);
        return which ? INT : UINT;
    }
    if (kind == 7) {
        both(g, "__activemask(");
        size_t at = id_open(g);
        both(g, ")");
        id_close(g, at);
        waits(g);
        return UINT;
    }
    size_t at;
    if (kind == 8) {
        at = open_call(g, "__match_any_sync");
        value(g, depth);
        both(g, ")");
        id_close(g, at);
        return UINT;
    }
    uint32_t which = chance(g, 6);
    at = open_call(g, reductions[which]);
    both(g, which < 3 && one_in(g, 2) ? "(int)(" : "(unsigned)(");
    gen_index(g, depth);
    both(g, "))");
    id_close(g, at);
    return type_make('i', 8, 1, true);
}

/* int n = __syncthreads_count(e); where all threads are */
bool gen_block_count(struct gen *g)
{
    static const char *const names[] = {"__syncthreads_count", "__syncthreads_or", "__syncthreads_and"};
    if (!g->uniform || g->returned || g->result || g->capturing)
        return false;
    char name[NAME];
    gen_full(g);
    name_make(name, "v%u", g->names++);
    both(g, "int %s = %s(", name, names[chance(g, 3)]);
    size_t at = id_open(g);
    text_add(&g->host, ", ");
    gen_condition(g, 1);
    both(g, ");\n");
    id_close(g, at);
    variable_add(g, VARIABLE_INDEX, INT, name);
    return true;
}

static bool fits_atomic(const struct variable *v)
{
    bool integer = v->type.kind == 'i' && v->type.lanes == 1 &&
                   (v->type.bytes == 4 || (v->type.bytes == 8 && !v->type.is_signed));
    bool real = v->type.kind == 'f' && v->type.lanes == 1 && v->type.bytes == 4;
    return (integer || real) && !v->to_const && !(v->kind == VARIABLE_SHARED && v->dims != 1);
}

/* atomicAdd(&p[i], e); float old = atomicMax(p + i, e); */
bool gen_atomic(struct gen *g)
{
    static const char *const integer[] = {"Add", "Sub", "Exch", "Min", "Max",
                                          "And", "Or",  "Xor",  "CAS", "Inc"};
    static const char *const scopes[] = {"", "", "", "_block", "_system"};
    gen_full(g);
    struct variable *v = variable_pick(g, KIND(VARIABLE_POINTER) | KIND(VARIABLE_SHARED), false, fits_atomic);
    if (!v || g->sites > NUMBERS - 8)
        return false;
    v->read_at = g->serial;
    char name[NAME] = "";
    bool real = v->type.kind == 'f', kept = one_in(g, 3);
    uint32_t which = real ? 2 * chance(g, 2) : chance(g, v->type.bytes == 8 ? 9 : v->type.is_signed ? 9 : 10);
    if (v->type.bytes == 8 && which == 1)
        which = 0;
    struct ctype type = v->type;
    if (kept) {
        name_make(name, "o%u", g->names++);
        both(g, "%s %s = ", type_spell(g, type), name);
    }
    both(g, "atomic%s%s(", integer[which], scopes[chance(g, 5)]);
    unsigned site = g->sites++;
    bool address = one_in(g, 2);
    text_add(&g->host, address ? "AT(%u, " : "AT(%u, *(", site);
    text_add(&g->cu, address ? "&" : "");
    g->site_begin[site] = (uint32_t)g->cu.size;
    both(g, address ? "%s[" : "%s + ", v->name);
    gen_subscript(g, 1);
    both(g, address ? "]" : "");
    g->site_end[site] = (uint32_t)g->cu.size;
    g->site_is_pointer[site] = !address;
    text_add(&g->host, address ? ")" : "))");
    for (unsigned i = 0; i < (which == 8 ? 2 : 1); i++) {
        both(g, real ? ", (float)(" : ", (");
        if (one_in(g, 2))
            gen_index(g, 1);
        else
            gen_data(g, type_make('f', 4, 1, true), 1);
        both(g, ")");
    }
    both(g, ");\n");
    if (kept)
        variable_add(g, VARIABLE_DATA, type, name);
    return true;
}

/* auto b = cg::this_thread_block(); auto t = cg::tiled_partition<8>(b); */
bool gen_group(struct gen *g)
{
    if (!g->has_groups || g->result || g->loops || g->nesting > 1)
        return false;
    char block[NAME], tile[NAME];
    unsigned width = 1u << chance(g, 6);
    name_make(block, "b%u", g->names++);
    name_make(tile, "g%u", g->names++);
    both(g,
         one_in(g, 2) ? "auto %s = cg::this_thread_block();\n"
                      : "cg::thread_block %s = cg::this_thread_block();\n",
         block);
    if (one_in(g, 2))
        both(g, "auto %s = cg::tiled_partition<%u>(%s);\n", tile, width, block);
    else
        both(g, "cg::thread_block_tile<%u> %s = cg::tiled_partition<%u>(%s);\n", width, tile, width, block);
    variable_add(g, VARIABLE_GROUP, INT, block)->is_const = true;
    struct variable *v = variable_add(g, VARIABLE_GROUP, INT, tile);
    v->count = width;
    v->is_const = true;
    return true;
}

struct ctype gen_group_value(struct gen *g, unsigned depth, bool *possible)
{
    static const char *const block_asks[] = {".thread_rank()", ".size()", ".group_index().x",
                                             ".thread_index().y", ".dim_threads().x"};
    static const char *const tile_asks[] = {".thread_rank()", ".size()", ".meta_group_rank()",
                                            ".meta_group_size()"};
    struct variable *v = variable_pick(g, KIND(VARIABLE_GROUP), false, NULL);
    *possible = v && !g->in_macro && !(g->serial & 0x80000000u);
    if (!*possible)
        return INT;
    if (!v->count) {
        both(g, "%s%s", v->name, block_asks[chance(g, 5)]);
        return UINT;
    }
    if (!possible_here(g) || one_in(g, 3)) {
        both(g, "%s%s", v->name, tile_asks[chance(g, 4)]);
        return UINT;
    }
    depth = depth ? depth - 1 : 0;
    waits(g);
    uint32_t kind = chance(g, g->full ? 9 : 5);
    static const char *const calls[] = {"ballot", "any",     "all",       "match_any", "reduce",
                                        "shfl",   "shfl_up", "shfl_down", "shfl_xor"};
    static const char *const operations[] = {"plus", "less", "greater", "bit_and", "bit_or", "bit_xor"};
    size_t at;
    if (kind == 4) {
        both(g, "cg::reduce(");
        at = id_open(g);
        text_add(&g->host, ", ");
        both(g, "%s, (int)(", v->name);
        gen_index(g, depth);
        both(g, "), cg::%s<int>())", operations[chance(g, 6)]);
        id_close(g, at);
        return INT;
    }
    unsigned width = v->count;
    both(g, "%s.%s(", v->name, calls[kind]);
    at = id_open(g);
    text_add(&g->host, ", ");
    if (kind < 3)
        gen_condition(g, depth);
    else
        value(g, depth);
    if (kind > 4) {
        both(g, ", ");
        gen_small(g, width - 1);
    }
    both(g, ")");
    id_close(g, at);
    return type_make('i', 8, 1, true);
}
