#include "via.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"

struct via_result {
    enum door door;
    char *kernel, *template_given; /* the request: what else it holds is the same for a command line */
    const char *text;
    uint64_t definitions; /* their hash: they change while one edits in the UI */
    struct door_result result;
    char name[400]; /* what messages call the PTX */
    struct via_result *next;
};

/* The compilers in their turn. */
static bool door_at(enum via via, unsigned attempt, enum door *door)
{
    static const enum door any[] = {DOOR_CLANG, DOOR_NVRTC, DOOR_NVCC};
    static const enum door named[] = {
        [VIA_NVRTC] = DOOR_NVRTC, [VIA_CLANG] = DOOR_CLANG, [VIA_NVCC] = DOOR_NVCC};
    if (via == VIA_ANY && attempt < sizeof any / sizeof *any) {
        *door = any[attempt];
        return true;
    }
    if (via <= VIA_BUILTIN || attempt > 0)
        return false;
    *door = named[via];
    return true;
}

static uint64_t hash_of(const struct device_part_request *request)
{
    uint64_t hash = 14695981039346656037u;
    for (unsigned i = 0; i < request->definition_count; i++)
        for (const char *c = request->definitions[i];; c++) {
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
            if (!*c)
                break;
        }
    return hash;
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

static char *copy(const char *text)
{
    size_t size = strlen(text_of(text)) + 1;
    return memcpy(memory_take(size, 1), text_of(text), size);
}

static struct via_result *find_result(struct ways *ways, enum door door,
                                      const struct device_part_request *request)
{
    for (struct via_result *r = ways->results; r; r = r->next)
        if (r->door == door && r->text == request->text->bytes && r->definitions == hash_of(request) &&
            strcmp(r->kernel, text_of(request->kernel)) == 0 &&
            strcmp(r->template_given, text_of(request->template_given)) == 0)
            return r;
    return NULL;
}

static bool compile(void *self, unsigned attempt, const struct device_part_request *request,
                    struct scenario_compiled *compiled, struct problem *problem)
{
    struct ways *ways = self;
    enum door door;
    if (!door_at(ways->via, attempt, &door))
        return false;
    struct via_result *r = find_result(ways, door, request);
    if (!r) {
        struct door_result result;
        if (!door_compile(door, request, &result, problem))
            return false;
        r = memory_take(1, sizeof *r);
        *r = (struct via_result){.door = door,
                                 .kernel = copy(request->kernel),
                                 .template_given = copy(request->template_given),
                                 .text = request->text->bytes,
                                 .definitions = hash_of(request),
                                 .result = result,
                                 .next = ways->results};
        (void)snprintf(r->name, sizeof r->name, "%.300s, as PTX by %s", request->text->name, result.compiler);
        ways->results = r;
    }
    *compiled = (struct scenario_compiled){
        .ptx = {r->name, r->result.ptx, r->result.size},
        .parameters = (const char *const *)r->result.part.parameters,
        .parameter_count = r->result.part.parameter_count,
        .compiler = r->result.compiler,
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
        free(r->kernel);
        free(r->template_given);
        free(r);
    }
}
