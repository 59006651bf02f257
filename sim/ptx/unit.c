/* unit.c - a text and the kernel of it that is compiled. */
#include "ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coder.h"

struct ptx_unit {
    struct module module;
    struct program program;
    const struct function_of_ptx *kernel; /* whose program it is; NULL: none is compiled */
};

bool ptx_is_text(const struct source *source)
{
    size_t length = strlen(source->name);
    if (length >= 4 && strcmp(source->name + length - 4, ".ptx") == 0)
        return true;
    struct scan scan = {.source = source, .at = source_text_begin(source)};
    return scan_word(&scan, ".version");
}

struct ptx_unit *ptx_open(const struct source *source, struct problem *problem)
{
    struct ptx_unit *unit = memory_take(1, sizeof *unit);
    unit->module.source = source;
    unit->module.problem = problem;
    if (module_read(&unit->module) && !problem->set)
        return unit;
    ptx_close(unit);
    return NULL;
}

void ptx_close(struct ptx_unit *unit)
{
    if (!unit)
        return;
    ptx_program_free(&unit->program);
    module_free(&unit->module);
    free(unit);
}

static bool is_kernel(const struct function_of_ptx *f)
{
    return f->is_entry && f->has_body;
}

unsigned ptx_kernel_count(const struct ptx_unit *unit)
{
    unsigned count = 0;
    for (const struct function_of_ptx *f = unit->module.functions; f; f = f->next)
        count += is_kernel(f);
    return count;
}

const char *ptx_kernel_name(const struct ptx_unit *unit, unsigned index)
{
    for (const struct function_of_ptx *f = unit->module.functions; f; f = f->next)
        if (is_kernel(f) && index-- == 0)
            return f->name->text;
    return "";
}

static bool has_name(const struct function_of_ptx *f, const char *name)
{
    char base[200];
    ptx_base_name(f->name->text, base, sizeof base);
    return strcmp(f->name->text, name) == 0 || strcmp(base, name) == 0;
}

static struct function_of_ptx *choose(struct ptx_unit *unit, const char *name, struct problem *problem)
{
    struct function_of_ptx *found = NULL;
    char names[200] = "";
    size_t used = 0;
    unsigned count = 0;
    for (struct function_of_ptx *f = unit->module.functions; f; f = f->next) {
        if (!is_kernel(f))
            continue;
        if (name && strcmp(f->name->text, name) == 0)
            return f;
        bool fits = !name || has_name(f, name);
        count += fits;
        found = fits ? f : found;
        if (used < sizeof names)
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", f->name->text);
    }
    if (count == 1)
        return found;
    const char *file = unit->module.source->name;
    if (!used)
        problem_say(problem, "%s has no .entry with a body: no kernel", file);
    else if (!count)
        problem_say(problem, "%s has no kernel named %s; it has: %s", file, name, names);
    else {
        problem_offer(problem, PROBLEM_CURE_KERNEL);
        problem_say(problem, "%s has several kernels%s%s: %s", file, name ? " named " : "", name ? name : "",
                    names);
    }
    return NULL;
}

const struct program *ptx_compile(struct ptx_unit *unit, const char *name, struct problem *problem)
{
    ptx_program_free(&unit->program);
    unit->kernel = NULL;
    struct function_of_ptx *kernel = choose(unit, name, problem);
    if (!kernel)
        return NULL;
    unit->module.problem = unit->module.scan.problem = problem;
    char base[200];
    ptx_base_name(kernel->name->text, base, sizeof base);
    struct flat_list list = {.module = &unit->module, .problem = problem};
    bool ok = flatten(&list, kernel) && flow_find(&list) && roots_find(&list, kernel) &&
              ptx_code(&list, kernel, arena_copy(&unit->module.arena, base, strlen(base)), &unit->program);
    flat_list_free(&list);
    unit->kernel = ok ? kernel : NULL;
    return ok ? &unit->program : NULL;
}

void ptx_name_parameters(struct ptx_unit *unit, const char *const *names, unsigned count)
{
    for (unsigned i = 0; i < unit->program.parameter_count; i++) {
        struct parameter *parameter = &unit->program.parameters[i];
        const char *member = strchr(parameter->name, '+');
        if (parameter->position >= count || strncmp(parameter->name, "param_", 6) != 0 ||
            !*names[parameter->position])
            continue;
        char name[256];
        (void)snprintf(name, sizeof name, "%.150s%.40s", names[parameter->position], member ? member : "");
        parameter->name = arena_copy(&unit->module.arena, name, strlen(name));
    }
}

bool ptx_block(const struct ptx_unit *unit, uint32_t block[3], bool *is_largest)
{
    const uint32_t *required = unit->kernel ? unit->kernel->required_block : NULL;
    const uint32_t *largest = unit->kernel ? unit->kernel->largest_block : NULL;
    const uint32_t *of = required && required[0] ? required : largest && largest[0] ? largest : NULL;
    *is_largest = of == largest;
    for (int i = 0; of && i < 3; i++)
        block[i] = of[i] ? of[i] : 1;
    return of != NULL;
}
