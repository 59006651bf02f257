#include "confirm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/report/matrix.h"
#include "buffers.h"
#include "door.h"
#include "instrument.h"
#include "payload.h"
#include "twinrun.h"

enum { DRY_ARCHITECTURE = 90, TWIN_REGISTERS = 64 /* what a block of 1024 threads has */ };

bool confirmer_compile(struct confirmer *c, const struct compilation *task, struct gpu_kernel *kernel,
                       struct problem *problem)
{
    const struct gpu_facts *facts = c->gpu ? gpu_facts(c->gpu) : NULL;
    struct compilation here = *task;
    struct binary binary;
    here.architecture = facts ? (int)(facts->major * 10 + facts->minor) : DRY_ARCHITECTURE;
    if (!compiler_compile(c->compiler, &here, &binary, problem))
        return false;
    bool ok = !c->gpu || gpu_load(c->gpu, binary.image, binary.name, kernel, problem);
    binary_free(&binary);
    return ok;
}

/* The system keeps the first bytes of the shared window on some architectures. How many is measured, with a
 * kernel that has one shared array and nothing else. */
static bool find_shared_base(struct confirmer *c, struct problem *problem)
{
    static const char bytes[] = "__global__ void shared_base(unsigned long long *out)\n"
                                "{\n"
                                "    __shared__ unsigned char first[4];\n"
                                "    out[0] = __cvta_generic_to_shared(first);\n"
                                "}\n";
    struct source text = {"shared_base.cu", bytes, sizeof bytes - 1};
    struct compilation task = {.text = &text, .kernel = "shared_base"};
    struct launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    struct gpu_kernel kernel = {0};
    uint64_t address = 0;
    void *arguments[] = {&address};
    bool ok = confirmer_compile(c, &task, &kernel, problem) &&
              gpu_take(c->gpu, sizeof c->shared_base, &address, problem) &&
              gpu_launch(c->gpu, &kernel, &launch, arguments, problem) &&
              gpu_read(c->gpu, &c->shared_base, address, sizeof c->shared_base, problem);
    gpu_give(c->gpu, address);
    gpu_unload(c->gpu, &kernel);
    return ok;
}

bool confirmer_open(struct confirmer *confirmer, struct problem *problem)
{
    *confirmer = (struct confirmer){0};
    if (gpu_open(&confirmer->gpu, problem) && compiler_open(&confirmer->compiler, problem))
        return true;
    confirmer_close(confirmer);
    return false;
}

bool confirmer_open_dry(struct confirmer *confirmer, struct problem *problem)
{
    *confirmer = (struct confirmer){0};
    return compiler_open(&confirmer->compiler, problem);
}

void confirmer_forget(struct confirmer *confirmer)
{
    if (confirmer->gpu) {
        gpu_unload(confirmer->gpu, &confirmer->plain);
        gpu_unload(confirmer->gpu, &confirmer->twin);
    }
    free(confirmer->key);
    confirmer->key = NULL;
    confirmer->has_twin = false;
}

void confirmer_close(struct confirmer *confirmer)
{
    confirmer_forget(confirmer);
    compiler_close(confirmer->compiler);
    gpu_close(confirmer->gpu);
    *confirmer = (struct confirmer){0};
}

/* The device part of a text, the scenario's own or its twin, for this device. `lines` stand before the text's
 * own; `registers` a thread at most, 0: any number. */
static bool compile_scenario(struct confirmer *c, const struct scenario *s, const struct source *text,
                             unsigned lines, unsigned registers, struct gpu_kernel *kernel,
                             struct problem *problem)
{
    const char *colon = s->options.kernel ? strchr(s->options.kernel, ':') : NULL;
    char name[300];
    (void)snprintf(name, sizeof name, "%.250s", s->program->name);
    if (colon) /* NAME:LINE */
        (void)snprintf(name, sizeof name, "%.250s:%lu", s->program->name,
                       strtoul(colon + 1, NULL, 10) + lines);
    const char *arguments = unit_template_arguments(s->unit);
    struct device_part_request request = {.text = text,
                                          .definitions = s->definitions,
                                          .definition_count = s->definition_count,
                                          .kernel = name,
                                          .template_given = *arguments ? arguments : NULL,
                                          .includes = s->options.includes};
    struct device_part part;
    if (!device_part_of(&request, &part, problem))
        return false;
    struct source source = {text->name, NULL, 0};
    char *bytes = door_nvrtc_source(&part, &source.size), *expression = door_kernel_expression(&part);
    source.bytes = bytes;
    struct compilation task = {.text = &source,
                               .definitions = s->definitions,
                               .definition_count = s->definition_count,
                               .kernel = expression,
                               .registers = registers,
                               .has_headers = true};
    bool ok = confirmer_compile(c, &task, kernel, problem);
    free(bytes);
    free(expression);
    device_part_free(&part);
    return ok;
}

static bool compile_twin(struct confirmer *c, const struct scenario *s, struct problem *problem)
{
    struct source text = {s->text.name, NULL, 0};
    unsigned lines;
    char *bytes = twin_text(s->program, &text.size, &lines, problem);
    text.bytes = bytes;
    bool ok = bytes && compile_scenario(c, s, &text, lines, TWIN_REGISTERS, &c->twin, problem);
    free(bytes);
    return ok && (!c->gpu || c->shared_base || !s->program->shared_count || find_shared_base(c, problem));
}

/* The text's address, the kernel and the macros make the key: the same text is the same address here. */
static char *key_of(const struct scenario *s)
{
    size_t size = strlen(s->program->name) + 40;
    for (unsigned i = 0; i < s->definition_count; i++)
        size += strlen(s->definitions[i]) + 1;
    char *key = memory_take(size, 1);
    int used = snprintf(key, size, "%p %s", (const void *)s->text.bytes, s->program->name);
    for (unsigned i = 0; i < s->definition_count; i++)
        used += snprintf(key + used, size - (size_t)used, " %s", s->definitions[i]);
    return key;
}

/* `recorded` is what the twin is made of; NULL: none is needed. */
static bool compile_kernels(struct confirmer *c, const struct scenario *s, const struct scenario *recorded,
                            struct problem *problem)
{
    char *key = key_of(s);
    bool ok = true;
    if (!c->key || strcmp(key, c->key) != 0) {
        confirmer_forget(c);
        ok = compile_scenario(c, s, &s->text, 0, 0, &c->plain, problem);
        if (ok) {
            c->key = key;
            key = NULL;
        }
    }
    if (ok && recorded && !c->has_twin)
        ok = c->has_twin = compile_twin(c, recorded, problem);
    free(key);
    return ok;
}

bool confirmer_compile_plain(struct confirmer *confirmer, const struct scenario *scenario,
                             struct problem *problem)
{
    return compile_kernels(confirmer, scenario, false, problem);
}

static void say_value(const struct scenario *s, const struct payload_difference *d,
                      struct confirmation *result)
{
    uint32_t width = scenario_out_cols(s);
    if (!result->first[0])
        (void)snprintf(result->first, sizeof result->first,
                       "output cell (%" PRIu64 ", %" PRIu64 "): expected payload 0x%" PRIx64
                       ", got 0x%" PRIx64,
                       d->cell / width, d->cell % width, d->expected, d->got);
}

/* The unmodified kernel, pass by pass. */
static bool confirm_values(struct confirmer *c, const struct scenario *s, struct buffers *buffers,
                           struct confirmation *result, struct problem *problem)
{
    struct payload payload = {s->rows, s->cols, s->elem_bytes, s->is_copy};
    uint64_t bytes = result->cells * s->elem_bytes;
    uint8_t *cells = memory_take(bytes + 1, 1);
    bool ok = true;
    for (unsigned pass = 0; ok && pass < payload_passes(&payload); pass++) {
        if (s->in != s->out) { /* in place there is nothing to poison */
            payload_poison(&payload, pass, cells);
            ok = gpu_write(c->gpu, buffers->base[s->out], cells, bytes, problem);
        }
        payload_fill(&payload, pass, cells);
        ok = ok && gpu_write(c->gpu, buffers->base[s->in], cells, bytes, problem) &&
             gpu_launch(c->gpu, &c->plain, &s->launch, buffers->arguments, problem) &&
             gpu_read(c->gpu, cells, buffers->base[s->out], bytes, problem);
        if (!ok)
            break;
        struct payload_difference difference = payload_check(&payload, pass, cells);
        if (difference.wrong)
            say_value(s, &difference, result);
        result->wrong = difference.wrong > result->wrong ? difference.wrong : result->wrong;
    }
    free(cells);
    if (!ok)
        return false;
    char first[200] = "";
    ok = buffers_check_guards(buffers, &result->guard_changed, first, sizeof first, problem);
    if (ok && first[0] && !result->first[0])
        memcpy(result->first, first, sizeof first);
    return ok;
}

/* Is there an access that has no text of its own in the kernel's file? */
static bool has_hidden_sites(const struct program *program)
{
    for (unsigned i = 0; i < program->site_count; i++)
        if (program->sites[i].in_macro || program->sites[i].place.source != program->source)
            return true;
    return false;
}

/* The same kernel, launched the same way, as a text without macros and includes. */
struct plain_text {
    struct scenario scenario;
    struct source source;
    char *bytes, kernel[300];
    bool is_open;
};

static bool open_plain(struct plain_text *plain, const struct scenario *s, struct problem *problem)
{
    size_t size;
    struct scenario_options options = s->options;
    const char *arguments = unit_template_arguments(s->unit);
    plain->bytes = unit_text(s->unit, &size);
    plain->source = (struct source){s->text.name, plain->bytes, size};
    (void)snprintf(plain->kernel, sizeof plain->kernel, "%s",
                   s->program->name); /* overloads keep their order */
    options.kernel = plain->kernel;
    options.template_arguments = *arguments ? arguments : NULL;
    options.definition_count = options.elem_bytes = options.tile = options.block_rows = options.pitch = 0;
    options.elem_type = NULL;
    options.rows = s->rows;
    options.cols = s->cols;
    options.compiler = NULL;
    plain->is_open = scenario_open(&plain->scenario, &plain->source, &options, problem);
    if (!plain->is_open)
        return false;
    struct scenario *own = &plain->scenario;
    if (own->program->parameter_count != s->program->parameter_count ||
        own->program->site_count != s->program->site_count)
        return problem_say(problem,
                           "%s reads otherwise without its macros, so its accesses cannot be recorded",
                           s->text.name);
    own->launch = s->launch;
    own->in = s->in;
    own->out = s->out;
    own->elem_bytes = s->elem_bytes;
    return true;
}

static void close_plain(struct plain_text *plain)
{
    if (plain->is_open)
        scenario_close(&plain->scenario);
    free(plain->bytes);
}

/* Owners are of the output's cells: none where there is none, or where only addresses count. */
static bool confirm_twin(struct confirmer *c, const struct scenario *s, struct buffers *buffers,
                         bool has_owners, uint64_t seed, struct confirmation *result, struct problem *problem)
{
    if (!s->program->site_count) { /* nothing to record */
        result->blocks_recorded = result->blocks = launch_blocks(&s->launch);
        return true;
    }
    struct execution *execution = execution_new(s->program, &s->launch, false, problem);
    struct recording recording = {.shared_base = c->shared_base};
    bool ok = execution && buffers_fill(buffers, problem) &&
              twin_run(c->gpu, &c->twin, s, buffers, execution, seed, &recording, problem) &&
              recording_compare_addresses(&recording, execution, &result->addresses, problem) &&
              (!has_owners || recording_compare_owners(&recording, execution, &result->owners, problem));
    if (ok) {
        const struct comparison_result *bad = result->addresses.differ ? &result->addresses : &result->owners;
        result->blocks_recorded = recording.slot_count;
        result->blocks = launch_blocks(&s->launch);
        if (bad->differ && !result->first[0])
            difference_print(&bad->first, &recording, result->first, sizeof result->first);
    }
    recording_free(&recording);
    execution_free(execution);
    return ok;
}

static bool find_reach(const struct scenario *s, struct reach *reach, struct problem *problem)
{
    struct execution *execution = execution_new(s->program, &s->launch, false, problem);
    bool ok = execution && reach_find(execution, &s->launch, reach, problem);
    execution_free(execution);
    return ok;
}

static bool confirm_open_scenario(struct confirmer *c, const struct scenario *s,
                                  const struct scenario *recorded, uint64_t seed, struct confirmation *result,
                                  struct problem *problem)
{
    struct buffers buffers = {.gpu = c->gpu};
    struct reach reach;
    bool moves = !c->only_addresses && s->in >= 0 && s->out >= 0 && !s->launch.arguments[s->in].contents;
    bool ok = compile_kernels(c, s, recorded, problem);
    if (!ok || !c->gpu)
        return ok;
    result->cells = moves ? (uint64_t)s->rows * s->cols : 0;
    ok = (moves || find_reach(s, &reach, problem)) &&
         buffers_open(&buffers, c->gpu, s->program, &s->launch, moves ? NULL : &reach, twin_bytes(recorded),
                      problem) &&
         (!moves || confirm_values(c, s, &buffers, result, problem)) &&
         confirm_twin(c, recorded, &buffers, moves, seed, result, problem);
    buffers_close(&buffers);
    return ok;
}

bool confirm_scenario(struct confirmer *confirmer, const struct scenario *scenario, uint64_t seed,
                      struct confirmation *result, struct problem *problem)
{
    struct plain_text plain = {.is_open = false};
    bool hidden = has_hidden_sites(scenario->program);
    *result = (struct confirmation){0};
    bool ok = (!hidden || open_plain(&plain, scenario, problem)) &&
              confirm_open_scenario(confirmer, scenario, hidden ? &plain.scenario : scenario, seed, result,
                                    problem);
    if (ok && !confirmation_is_clean(result))
        disorder_find(scenario, result->disorder);
    close_plain(&plain);
    return ok;
}

bool confirmation_is_clean(const struct confirmation *c)
{
    return !c->wrong && !c->guard_changed && !c->owners.differ && !c->addresses.differ;
}

bool confirm_launch_only(struct confirmer *confirmer, const struct scenario *scenario,
                         struct problem *problem)
{
    struct buffers buffers = {.gpu = confirmer->gpu};
    bool ok =
        compile_kernels(confirmer, scenario, NULL, problem) &&
        buffers_open(&buffers, confirmer->gpu, scenario->program, &scenario->launch, NULL, 0, problem) &&
        gpu_launch(confirmer->gpu, &confirmer->plain, &scenario->launch, buffers.arguments, problem);
    buffers_close(&buffers);
    return ok;
}
