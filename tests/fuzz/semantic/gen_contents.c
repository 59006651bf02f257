/* gen_contents.c - memory whose numbers are known: buffers with given contents, shared memory that integers
 * pass through; and __constant__ data, whose content is not.
 *
 * Each thread writes its own cell only, and reads others' cells where nobody writes or after a barrier.
 */
#include "gen.h"

#include <stdio.h>
#include <string.h>

static const struct ctype INT = {'i', 4, 1, true};

/* Linear number of the thread, below the block's threads. */
static void own_cell(struct gen *g)
{
    both(g, "threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y");
}

static struct ctype cell_type(struct gen *g, const char **spelling)
{
    static const struct {
        const char *name;
        struct ctype type;
    } types[] = {{"int", {'i', 4, 1, true}},
                 {"unsigned", {'i', 4, 1, false}},
                 {"short", {'i', 2, 1, true}},
                 {"unsigned short", {'i', 2, 1, false}},
                 {"unsigned char", {'i', 1, 1, false}},
                 {"long long", {'i', 8, 1, true}},
                 {"int", {'i', 4, 1, true}}};
    uint32_t i = chance(g, 7);
    *spelling = types[i].name;
    return types[i].type;
}

static unsigned site_open(struct gen *g, const char *wrapper)
{
    text_add(&g->host, "%s(%u, ", wrapper, g->sites);
    g->site_begin[g->sites] = (uint32_t)g->cu.size;
    return g->sites++;
}

static void site_close(struct gen *g, unsigned site)
{
    g->site_end[site] = (uint32_t)g->cu.size;
    text_add(&g->host, ")");
}

/* A parameter that points to numbers; `dims` 1: each thread may write its own, and reads no other. */
bool gen_contents_parameter(struct gen *g, struct text *call)
{
    const char *spelling;
    struct ctype type = cell_type(g, &spelling);
    unsigned i = g->parameter_count++;
    bool writes = one_in(g, 3);
    char name[NAME];
    name_make(name, "c%u", i);
    both(g, "%s%s *%s", writes ? "" : "const ", spelling, name);
    text_add(call, "(%s *)BUFFER(%u)", spelling, i);
    g->parameter_is_pointer[i] = true;
    g->parameter_has_contents[i] = true;
    g->parameter_type[i] = type;
    unsigned count = writes ? 128 : 8u << chance(g, 4);
    g->parameter_value[i] = (int64_t)count * type.bytes;
    struct variable *v = variable_add(g, VARIABLE_CONTENTS, type, name);
    v->count = count;
    v->dims = writes;
    v->buffer = (int)i;
    return true;
}

static bool fits_readable(const struct variable *v)
{
    return v->kind == VARIABLE_CONTENTS && v->dims < 2;
}

/* An operand: a load whose number is known. */
bool gen_load_index(struct gen *g)
{
    if (g->pure || g->in_macro || g->in_member || g->sites > NUMBERS - 8)
        return false;
    struct variable *v = variable_pick(g, KIND(VARIABLE_CONTENTS), false, fits_readable);
    if (!v)
        return false;
    bool ldg = !v->dims && one_in(g, 5);
    v->read_at = g->serial;
    unsigned site = site_open(g, "LDK");
    text_add(&g->cu, ldg ? "__ldg(&" : "");
    both(g, "%s[", v->name);
    if (v->dims)
        own_cell(g);
    else
        gen_small(g, v->count - 1);
    both(g, "]");
    text_add(&g->cu, ldg ? ")" : "");
    site_close(g, site);
    return true;
}

/* Numbers of 2^62 and more are not followed through memory. */
static void cell_value(struct gen *g, struct ctype type)
{
    both(g, type.bytes == 8 ? "(int)(" : "(");
    gen_index(g, 2);
    both(g, ")");
}

static bool fits_own(const struct variable *v)
{
    return v->dims == 1;
}

/* c[own] = e; */
bool gen_contents_store(struct gen *g)
{
    static const char *const ops[] = {"=", "=", "+=", "-=", "*=", "^="};
    gen_full(g);
    struct variable *v = variable_pick(g, KIND(VARIABLE_CONTENTS), true, fits_own);
    if (!v || g->sites > NUMBERS - 8)
        return false;
    v->held++;
    unsigned site = site_open(g, "STK");
    both(g, "%s[", v->name);
    own_cell(g);
    both(g, "]");
    site_close(g, site);
    both(g, " %s ", ops[v->type.bytes == 8 ? 0 : chance(g, 6)]);
    cell_value(g, v->type);
    both(g, ";\n");
    v->held--;
    v->written_at = g->serial;
    return true;
}

/* s[own] = e; barrier; T v = s[e % threads]; barrier */
bool gen_exchange(struct gen *g)
{
    if (!g->may_contents || !g->uniform || g->returned || g->result || g->capturing || g->sites > NUMBERS - 8)
        return false;
    struct variable *s = NULL;
    for (unsigned i = 0; i < g->variable_count; i++)
        if (g->variables[i].kind == VARIABLE_CONTENTS && g->variables[i].dims == 2)
            s = &g->variables[i];
    if (!s)
        return false;
    char array[NAME], name[NAME];
    struct ctype type = s->type;
    unsigned threads = g->block[0] * g->block[1] * g->block[2];
    memcpy(array, s->name, sizeof array);
    gen_full(g);
    unsigned stored = site_open(g, "STK");
    both(g, "%s[", array);
    own_cell(g);
    both(g, "]");
    site_close(g, stored);
    both(g, " = ");
    cell_value(g, s->type);
    both(g, ";\n");
    text_add(&g->cu, "__syncthreads();\n");
    text_add(&g->host, "BARRIER(%u);\n", id_new(g));
    gen_full(g);
    name_make(name, "v%u", g->names++);
    both(g, "long long %s = ", name);
    unsigned site = site_open(g, "LDK");
    both(g, "%s[(unsigned)(", array);
    gen_index(g, 1);
    both(g, ") %% %uu]", threads);
    site_close(g, site);
    both(g, ";\n");
    text_add(&g->cu, "__syncthreads();\n");
    text_add(&g->host, "BARRIER(%u);\n", id_new(g));
    (void)type;
    struct variable *v = variable_add(g, VARIABLE_INDEX, type_make('i', 8, 1, true), name);
    if (one_in(g, 2))
        gen_probe(g, v);
    return true;
}

/* The array for it, at the kernel's top. */
void gen_exchange_array(struct gen *g)
{
    const char *spelling;
    struct ctype type = cell_type(g, &spelling);
    char name[NAME];
    unsigned threads = g->block[0] * g->block[1] * g->block[2];
    name_make(name, "s%u", g->shared_count);
    text_add(&g->cu, "__shared__ %s %s[%u];\n", spelling, name, threads);
    struct shared_info *info = &g->shared[g->shared_count];
    info->offset = (g->static_bytes + type.bytes - 1) / type.bytes * type.bytes;
    info->bytes = (uint64_t)threads * type.bytes;
    g->static_bytes = info->offset + info->bytes;
    text_add(&g->host, "%s (&%s)[%u] = *(%s (*)[%u])SHARED(%llu);\n", spelling, name, threads, spelling,
             threads, (unsigned long long)info->offset);
    struct variable *v = variable_add(g, VARIABLE_CONTENTS, type, name);
    v->dims = 2;
    v->count = threads;
    v->buffer = SHARED_BUFFER + (int)g->shared_count++;
}

/* __constant__ float k[8]; at file level */
void gen_file_data(struct gen *g)
{
    if (!one_in(g, 4))
        return;
    char name[NAME];
    unsigned count = 4u << chance(g, 3);
    name_make(name, "table%u", g->names++);
    text_add(&g->cu, "__constant__ ");
    text_add(&g->host, "CONSTANT ");
    both(g, "float %s[%u];\n", name, count);
    struct variable *v = variable_add(g, VARIABLE_CONSTANTS, INT, name);
    v->count = count;
    v->is_const = true;
}

/* k[e]: data, and no access that is counted */
bool gen_constant_data(struct gen *g)
{
    struct variable *v = variable_pick(g, KIND(VARIABLE_CONSTANTS), false, NULL);
    if (!v)
        return false;
    both(g, "%s[", v->name);
    gen_small(g, v->count - 1);
    both(g, "]");
    return true;
}
