#include "via.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"

/* What a compiler made of a request, or why it made nothing: asked again, it would say the same. */
struct via_result {
    enum door door;
    bool assumes;
    uint64_t request; /* its hash: of the text, the definitions, the kernel and its template's arguments */
    bool failed;
    struct problem problem;
    struct door_result result;
    char name[400]; /* what messages call the PTX */
    struct via_result *next;
};

/* The compilers in their turn, without assumptions first. nvcc is asked for none: it has the headers, or
 * takes long to say that it has not. */
static bool door_at(enum via via, unsigned attempt, enum door *door, bool *assumes)
{
    static const enum door any[] = {DOOR_CLANG, DOOR_NVRTC, DOOR_NVCC, DOOR_CLANG, DOOR_NVRTC};
    static const enum door named[] = {
        [VIA_NVRTC] = DOOR_NVRTC, [VIA_CLANG] = DOOR_CLANG, [VIA_NVCC] = DOOR_NVCC};
    if (via == VIA_ANY && attempt < sizeof any / sizeof *any) {
        *door = any[attempt];
        *assumes = attempt > 2;
        return true;
    }
    if (via <= VIA_BUILTIN || attempt > 1)
        return false;
    *door = named[via];
    *assumes = attempt == 1;
    return true;
}

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    return (hash ^ 256) * 1099511628211u; /* where one ends and the next begins */
}

static uint64_t hash_word(uint64_t hash, const char *word)
{
    return hash_bytes(hash, word ? word : "", word ? strlen(word) : 0);
}

/* What else a request holds is the same for a command line. */
static uint64_t hash_of(const struct device_part_request *request)
{
    uint64_t hash = hash_bytes(14695981039346656037u, request->text->bytes, request->text->size);
    hash = hash_word(hash, request->kernel);
    hash = hash_word(hash, request->template_given);
    for (unsigned i = 0; i < request->definition_count; i++)
        hash = hash_word(hash, request->definitions[i]);
    return hash;
}

static struct via_result *find_result(struct ways *ways, enum door door, bool assumes, uint64_t request)
{
    for (struct via_result *r = ways->results; r; r = r->next)
        if (r->door == door && r->assumes == assumes && r->request == request &&
            r->problem.kind != PROBLEM_WORLD)
            return r; /* what the world refused may go well another time */
    return NULL;
}

static struct via_result *ask(struct ways *ways, enum door door, bool assumes,
                              const struct device_part_request *request, uint64_t hash)
{
    struct via_result *r = memory_take(1, sizeof *r);
    *r = (struct via_result){.door = door, .assumes = assumes, .request = hash, .next = ways->results};
    r->failed = !door_compile(door, assumes, request, &r->result, &r->problem);
    (void)snprintf(r->name, sizeof r->name, "%.300s, as PTX by %s", request->text->name, r->result.compiler);
    return ways->results = r;
}

static bool compile(void *self, unsigned attempt, const struct device_part_request *request,
                    struct scenario_compiled *compiled, struct problem *problem)
{
    struct ways *ways = self;
    enum door door;
    bool assumes;
    if (!door_at(ways->via, attempt, &door, &assumes))
        return false;
    uint64_t hash = hash_of(request);
    struct via_result *r = find_result(ways, door, assumes, hash);
    if (!r)
        r = ask(ways, door, assumes, request, hash);
    if (r->failed) {
        *problem = r->problem;
        return false;
    }
    *compiled = (struct scenario_compiled){
        .ptx = {r->name, r->result.ptx, r->result.size},
        .parameters = (const char *const *)r->result.part.parameters,
        .parameter_count = r->result.part.parameter_count,
        .compiler = r->result.compiler,
        .assumed = r->result.assumed,
        .template_arguments = r->result.part.arguments,
        .template_assumed = r->result.part.assumed,
    };
    return true;
}

void ways_begin(struct ways *ways, enum via via)
{
    *ways =
        (struct ways){.compiler = {.self = ways, .only = via > VIA_BUILTIN, .compile = compile}, .via = via};
}

void ways_end(struct ways *ways)
{
    while (ways->results) {
        struct via_result *r = ways->results;
        ways->results = r->next;
        door_free(&r->result);
        free(r);
    }
}
