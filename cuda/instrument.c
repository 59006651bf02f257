#include "instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"

static const char prelude[] =
    "struct lanescope_twin {\n"
    "    unsigned *visits, *slots;\n"
    "    unsigned long long *records;\n"
    "    unsigned *writes;\n"
    "    unsigned long long *owners, out, out_bytes;\n"
    "    unsigned elem_bytes, sites, capacity, unused;\n"
    "};\n"
    "extern \"C\" { __device__ lanescope_twin " TWIN_STATE "; }\n"
    "template <class T>\n"
    "static __device__ __forceinline__ T *lanescope_record(unsigned site, unsigned kind, T *lvalue)\n"
    "{\n"
    "    const lanescope_twin &twin = " TWIN_STATE ";\n"
    "    if (kind & 4 && (__isShared((const void *)lvalue) != 0) != ((kind & 2) != 0))\n"
    "        return lvalue;\n"
    "    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;\n"
    "    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
    "    const unsigned long long block =\n"
    "        blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);\n"
    "    const unsigned long long global = block * threads + thread;\n"
    "    const unsigned visit = twin.visits[global * twin.sites + site]++;\n"
    "    const unsigned slot = twin.slots[block];\n"
    "    unsigned long long address = (unsigned long long)(const void *)lvalue;\n"
    "    if (kind & 2)\n"
    "        address = (unsigned long long)__cvta_generic_to_shared((const void *)lvalue);\n"
    "    if (slot && visit < twin.capacity)\n"
    "        twin.records[(((slot - 1ull) * twin.sites + site) * twin.capacity + visit) * threads + thread] "
    "=\n"
    "            address;\n"
    "    if (kind == 1 && address - twin.out < twin.out_bytes)\n"
    "        for (unsigned k = 0; k * twin.elem_bytes < sizeof(T); k++) {\n"
    "            const unsigned long long cell = (address - twin.out) / twin.elem_bytes + k;\n"
    "            if ((cell + 1) * twin.elem_bytes > twin.out_bytes)\n"
    "                break;\n"
    "            atomicAdd(&twin.writes[cell], 1u);\n"
    "            twin.owners[cell] = global << 24 | visit;\n"
    "        }\n"
    "    return lvalue;\n"
    "}\n";

struct writer {
    char *bytes;
    size_t size, capacity;
};

static void put(struct writer *writer, const char *bytes, size_t size)
{
    if (writer->size + size + 1 > writer->capacity) {
        writer->capacity = 2 * (writer->size + size) + 1024;
        writer->bytes = memory_resize(writer->bytes, writer->capacity, 1);
    }
    memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
    writer->bytes[writer->size] = '\0';
}

static void put_text(struct writer *writer, const char *text)
{
    put(writer, text, strlen(text));
}

static int by_place(const void *a, const void *b)
{
    const struct site *const *x = a, *const *y = b;
    if ((*x)->place.begin != (*y)->place.begin)
        return (*x)->place.begin < (*y)->place.begin ? -1 : 1;
    if ((*x)->place.end != (*y)->place.end) /* the outer one first */
        return (*x)->place.end > (*y)->place.end ? -1 : 1;
    return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static bool is_same_span(const struct site *a, const struct site *b)
{
    return a->place.source == b->place.source && a->place.begin == b->place.begin &&
           a->place.end == b->place.end;
}

struct twin {
    struct writer writer;
    const struct program *program;
    const struct site **list; /* in the order of the text, outer before inner */
    size_t count;
};

/* One text, two memories: a function that is called with shared and with global pointers. */
static bool is_of_both(const struct twin *twin, const struct site *site)
{
    for (size_t i = 0; i < twin->count; i++)
        if (is_same_span(twin->list[i], site) && twin->list[i]->kind->space != site->kind->space)
            return true;
    return false;
}

static void put_call(struct twin *twin, const struct site *site)
{
    char text[80];
    unsigned kind = (site->kind->writes ? 1u : 0u) | (site->kind->space == SPACE_SHARED ? 2u : 0u) |
                    (is_of_both(twin, site) ? 4u : 0u);
    (void)snprintf(text, sizeof text, "lanescope_record(%uu, %uu, ", site->id, kind);
    put_text(&twin->writer, text);
}

/* Does the text begin with a call of __ldg, __ldcs, __stcg or their kin, or of an atomic? The first argument
 * is then the address. */
static const char *after_call(const char *begin, const char *end)
{
    bool hinted = end - begin > 5 && (memcmp(begin, "__ld", 4) == 0 || memcmp(begin, "__st", 4) == 0);
    bool atomic = end - begin > 8 && memcmp(begin, "atomic", 6) == 0;
    const char *open = begin;
    while ((hinted || atomic) && open < end &&
           (*open == '_' || (*open >= 'a' && *open <= 'z') || (*open >= 'A' && *open <= 'Z')))
        open++;
    while ((hinted || atomic) && open < end && (*open == ' ' || *open == '\n'))
        open++;
    return (hinted || atomic) && open < end && *open == '(' ? open + 1 : NULL;
}

/* Where the first argument ends. */
static const char *argument_end(const char *at, const char *end)
{
    for (int depth = 0; at < end; at++) {
        if (*at == '(' || *at == '[' || *at == '{')
            depth++;
        if (depth == 0 && (*at == ')' || *at == ','))
            break;
        if (*at == ')' || *at == ']' || *at == '}')
            depth--;
    }
    return at;
}

unsigned twin_site(const struct program *program, const struct site *site)
{
    for (unsigned i = 0; i < site->id; i++)
        if (is_same_span(&program->sites[i], site) && program->sites[i].kind == site->kind)
            return i;
    return site->id;
}

static size_t put_range(struct twin *twin, size_t at, size_t to, size_t index);

/* One span with its sites: two where it is read and then written, as in `a[i] += 1`. Of several for the same,
 * as in a function that is called twice, the first stands for all. Returns the index after those inside it.
 */
static size_t put_span(struct twin *twin, size_t index, size_t count)
{
    const struct site *const *sites = twin->list + index;
    const struct place *place = &sites[0]->place;
    const char *bytes = place->source->bytes;
    const char *argument = after_call(bytes + place->begin, bytes + place->end);
    size_t begin = argument ? (size_t)(argument - bytes) : place->begin, calls = 0;
    size_t end = argument ? (size_t)(argument_end(argument, bytes + place->end) - bytes) : place->end;
    if (argument)
        put(&twin->writer, bytes + place->begin, begin - place->begin);
    else
        put_text(&twin->writer, "(*");
    for (size_t i = count; i-- > 0;)
        if (twin_site(twin->program, sites[i]) == sites[i]->id) {
            put_call(twin, sites[i]);
            calls++;
        }
    put_text(&twin->writer, argument ? "" : "&(");
    index = put_range(twin, begin, end, index + count);
    put_text(&twin->writer, argument ? "" : ")");
    for (size_t i = 0; i < calls; i++)
        put_text(&twin->writer, ")");
    if (argument)
        return put_range(twin, end, place->end, index);
    put_text(&twin->writer, ")");
    return index;
}

/* The text from `at` to `to`, with the sites from `index` on that lie there. Returns the index after them. */
static size_t put_range(struct twin *twin, size_t at, size_t to, size_t index)
{
    const char *bytes = twin->program->source->bytes;
    while (index < twin->count && twin->list[index]->place.begin < to) {
        const struct site *site = twin->list[index];
        size_t same = 1;
        while (index + same < twin->count && is_same_span(twin->list[index + same], site))
            same++;
        put(&twin->writer, bytes + at, site->place.begin - at);
        index = put_span(twin, index, same);
        at = site->place.end;
    }
    put(&twin->writer, bytes + at, to - at);
    return index;
}

static bool check_sites(const struct program *program, const struct site **list, struct problem *problem)
{
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site *site = &program->sites[i];
        if (site->place.source != program->source)
            return problem_at(
                problem, site->place.source, site->place.begin,
                "this access is in another file than the kernel; to confirm, both must be in one");
        if (site->in_macro)
            return problem_at(
                problem, site->place.source, site->place.begin,
                "this access comes out of a macro, or a function of CUDA's makes it from a pointer, so it "
                "has no text of its own to record; write it out, or give &a[i], to confirm this kernel");
        list[i] = site;
    }
    qsort(list, program->site_count, sizeof(const struct site *), by_place);
    for (unsigned i = 1; i < program->site_count; i++) {
        const struct place *inner = &list[i]->place, *outer = &list[i - 1]->place;
        if (inner->begin < outer->end && inner->end > outer->end)
            return problem_at(
                problem, inner->source, inner->begin,
                "this access begins inside another one and ends outside it; give it a line of its own to "
                "confirm this kernel");
    }
    return true;
}

char *twin_text(const struct program *program, size_t *size, unsigned *lines, struct problem *problem)
{
    const struct source *source = program->source;
    struct twin twin = {.program = program, .count = program->site_count};
    char line[PROBLEM_LINE_SIZE + 20];
    twin.list = memory_take(twin.count + 1, sizeof *twin.list);
    bool ok = check_sites(program, twin.list, problem);
    if (ok) {
        (void)snprintf(line, sizeof line, "#line 1 \"%.*s\"\n", PROBLEM_LINE_SIZE - 1, source->name);
        put_text(&twin.writer, prelude);
        put_text(&twin.writer, line);
        (void)put_range(&twin, source_text_begin(source), source->size, 0);
    }
    if (lines)
        *lines = 1; /* the one that says #line */
    for (const char *c = prelude; lines && *c; c++)
        *lines += *c == '\n';
    free(twin.list);
    if (size)
        *size = twin.writer.size;
    return twin.writer.bytes;
}
