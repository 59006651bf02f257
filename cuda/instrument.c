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
    return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static void put_call(struct writer *writer, const struct site *site)
{
    char text[80];
    unsigned kind = (site->kind->writes ? 1u : 0u) | (site->kind->space == SPACE_SHARED ? 2u : 0u);
    (void)snprintf(text, sizeof text, "lanescope_record(%uu, %uu, ", site->id, kind);
    put_text(writer, text);
}

/* One span with its sites: two where it is read and then written, as in `a[i] += 1`. */
static void put_span(struct writer *writer, const struct site *const *sites, unsigned count)
{
    const struct place *place = &sites[0]->place;
    const char *begin = place->source->bytes + place->begin, *end = place->source->bytes + place->end;
    static const char ldg[] = "__ldg";
    bool is_ldg = (size_t)(end - begin) > sizeof ldg && memcmp(begin, ldg, sizeof ldg - 1) == 0;
    put_text(writer, is_ldg ? "__ldg(" : "(*");
    for (unsigned i = count; i-- > 0;)
        put_call(writer, sites[i]);
    if (is_ldg) {
        const char *open = memchr(begin, '(', (size_t)(end - begin));
        begin = open ? open + 1 : begin;
        put(writer, begin, (size_t)(end - 1 - begin));
    } else {
        put_text(writer, "&(");
        put(writer, begin, (size_t)(end - begin));
        put_text(writer, ")");
    }
    for (unsigned i = 0; i < count; i++)
        put_text(writer, ")");
    put_text(writer, ")");
}

static bool check_sites(const struct program *program, const struct site **list, struct problem *problem)
{
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site *site = &program->sites[i];
        if (site->in_macro || site->place.source != program->source)
            return problem_at(problem, site->place.source, site->place.begin,
                              "this access comes out of a macro, or a function of CUDA's makes it from a "
                              "pointer: it has no text of "
                              "its own to record; write it out, or give &a[i], to confirm this kernel");
        list[i] = site;
    }
    qsort(list, program->site_count, sizeof(const struct site *), by_place);
    for (unsigned i = 1; i < program->site_count; i++)
        if (list[i]->place.begin < list[i - 1]->place.end &&
            (list[i]->place.begin != list[i - 1]->place.begin ||
             list[i]->place.end != list[i - 1]->place.end))
            return problem_at(
                problem, list[i]->place.source, list[i]->place.begin,
                "this access lies inside another one; give it a line of its own to confirm this "
                "kernel");
    return true;
}

char *twin_text(const struct program *program, size_t *size, struct problem *problem)
{
    const struct source *source = program->source;
    const struct site **list = memory_take(program->site_count + 1, sizeof(const struct site *));
    struct writer writer = {0};
    size_t at = 0;
    char line[PROBLEM_LINE_SIZE + 20];
    bool ok = check_sites(program, list, problem);
    if (ok) {
        (void)snprintf(line, sizeof line, "#line 1 \"%.*s\"\n", PROBLEM_LINE_SIZE - 1, source->name);
        put_text(&writer, prelude);
        put_text(&writer, line);
    }
    for (unsigned i = 0; ok && i < program->site_count;) {
        unsigned same = 1;
        while (i + same < program->site_count && list[i + same]->place.begin == list[i]->place.begin)
            same++;
        put(&writer, source->bytes + at, list[i]->place.begin - at);
        put_span(&writer, &list[i], same);
        at = list[i]->place.end;
        i += same;
    }
    if (ok)
        put(&writer, source->bytes + at, source->size - at);
    free(list);
    if (size)
        *size = writer.size;
    return ok ? writer.bytes : NULL;
}
