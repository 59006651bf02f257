/* cmd_list.c - the kernels of a file: their parameters, the launches that the file has of them, what is
 * missing to run them. */
#include <inttypes.h>
#include <string.h>

#include "../base/text.h"
#include "../sim/lang/host.h"
#include "command.h"
#include "operand.h"
#include "report.h"

static const struct column columns[] = {
    {"kernel", "kernel"},         {"line", "line"},       {"launch_line", "launched in line"},
    {"template", "template"},     {"block", "block"},     {"grid", "grid"},
    {"shared", "shared bytes"},   {"rows", "rows"},       {"cols", "cols"},
    {"parameters", "parameters"}, {"missing", "missing"},
};

enum { TEXT_SIZE = 1200 };

struct list {
    const struct options *options;
    const struct source *source;
    struct unit *unit;
    struct table *table;
};

static void append(char text[TEXT_SIZE], const char *piece, size_t length)
{
    size_t used = strlen(text), room = TEXT_SIZE - 1 - used;
    memcpy(text + used, piece, length < room ? length : room);
    text[used + (length < room ? length : room)] = '\0';
}

/* Tokens as they stand in the text, with single blanks. */
static void append_span(char text[TEXT_SIZE], struct host_span span)
{
    for (const struct token *t = span.begin; t < span.end; t++) {
        if (t > span.begin && t->begin > t[-1].end)
            append(text, " ", 1);
        append(text, t->text, t->length);
    }
}

static void append_value(char text[TEXT_SIZE], const struct host_value *v)
{
    char number[80] = "";
    if (v->kind == HOST_SHAPE)
        (void)snprintf(number, sizeof number, "%" PRId64 "x%" PRId64 "x%" PRId64, v->n[0], v->n[1], v->n[2]);
    else if (v->kind == HOST_INTEGER)
        (void)snprintf(number, sizeof number, "%" PRId64, v->n[0]);
    else if (v->kind == HOST_REAL)
        (void)snprintf(number, sizeof number, "%g", v->real);
    append(text, number, strlen(number));
}

/* "float *out = d_out; int nx = width (96)": each parameter and what feeds it. */
static void describe_parameters(const struct list *list, const struct program *program,
                                const struct host_launch *launch, char text[TEXT_SIZE])
{
    struct host *host = unit_host(list->unit);
    struct host_launch own = {0};
    text[0] = '\0';
    if (launch && program) {
        own = host_launch_for(launch, program);
        launch = &own;
    }
    for (unsigned i = 0; program && i < program->parameter_count; i++) {
        char type[60];
        const struct parameter *parameter = &program->parameters[i];
        if (parameter->origin != ORIGIN_LISTED)
            break; /* they come last */
        type_print(&parameter->type, type, sizeof type);
        if (i)
            append(text, "; ", 2);
        append(text, type, strlen(type));
        if (type[strlen(type) - 1] != '*')
            append(text, " ", 1);
        append(text, parameter->name, strlen(parameter->name));
        if (!launch || i >= launch->argument_count)
            continue;
        append(text, " = ", 3);
        append_span(text, launch->arguments[i]);
        struct host_value v = host_evaluate(host, launch->place, launch->arguments[i]);
        bool is_number = launch->arguments[i].end - launch->arguments[i].begin == 1 &&
                         launch->arguments[i].begin->kind == TOKEN_NUMBER;
        if (parameter->type.kind != TYPE_POINTER && v.kind != HOST_UNKNOWN && !is_number) {
            append(text, " (", 2);
            append_value(text, &v);
            append(text, ")", 1);
        }
    }
}

static void add_value(const struct list *list, const struct host_launch *launch, struct host_span span)
{
    char text[TEXT_SIZE] = "";
    if (!launch || !span.begin) {
        table_absent(list->table);
        return;
    }
    struct host_value v = host_evaluate(unit_host(list->unit), launch->place, span);
    if (v.kind == HOST_UNKNOWN)
        append_span(text, span);
    else
        append_value(text, &v);
    table_text(list->table, text);
}

static void add_row(const struct list *list, const char *name, int line, const struct program *program,
                    const struct host_launch *launch, const struct scenario *scenario,
                    const struct problem *problem)
{
    char text[TEXT_SIZE] = "";
    const struct host_span none = {NULL, NULL};
    table_text(list->table, name);
    table_integer(list->table, line);
    if (launch)
        table_integer(list->table, launch->line);
    else
        table_absent(list->table);
    if (launch && launch->template_arguments.begin) {
        append_span(text, launch->template_arguments);
        table_text(list->table, text);
    } else {
        table_absent(list->table);
    }
    add_value(list, launch, launch ? launch->block : none);
    add_value(list, launch, launch ? launch->grid : none);
    add_value(list, launch, launch ? launch->shared : none);
    if (scenario) {
        table_count(list->table, scenario->rows);
        table_count(list->table, scenario->cols);
    } else {
        table_absent(list->table);
        table_absent(list->table);
    }
    describe_parameters(list, program, launch, text);
    table_text(list->table, text);
    table_text(list->table, problem->set ? problem->message : "");
}

static void list_kernel(const struct list *list, unsigned index)
{
    struct problem refused = {0}, ignored = {0};
    struct scenario_options options = list->options->scenario;
    if (list->options->via <= VIA_BUILTIN) /* a compiler for each kernel takes long: where one is named */
        options.compiler = NULL;
    struct scenario scenario;
    char name[200];
    const char *own = unit_kernel_name(list->unit, index);
    int line = unit_kernel_line(list->unit, index);
    (void)snprintf(name, sizeof name, "%.150s:%d", own, line);
    options.kernel = name;
    bool opened = scenario_open(&scenario, list->source, &options, &refused);
    const struct program *program = unit_compile_as(list->unit, name, NULL, &ignored);
    if (opened && !program)
        program = scenario.program;
    unsigned count;
    const struct host_launch *launches = host_launches(unit_host(list->unit), own, &count);
    for (unsigned i = 0; i < (count ? count : 1); i++)
        add_row(list, own, line, program, count ? &launches[i] : NULL, opened ? &scenario : NULL, &refused);
    if (opened)
        scenario_close(&scenario);
}

int command_list(const struct options *options, FILE *out, struct problem *problem)
{
    struct text text;
    struct source definitions[SCENARIO_TEXT_LIMIT];
    if (!operand_open(&text, options->operands[0], problem))
        return EXIT_TROUBLE;
    for (unsigned i = 0; i < options->scenario.definition_count; i++)
        definitions[i] =
            (struct source){"-D", options->scenario.definitions[i], strlen(options->scenario.definitions[i])};
    struct list list = {options, &text.source, NULL, NULL};
    list.unit = unit_open(&text.source, definitions, options->scenario.definition_count, problem);
    if (list.unit) {
        list.table = table_new(columns, sizeof columns / sizeof *columns);
        for (unsigned i = 0; i < unit_kernel_count(list.unit); i++)
            if (!options->scenario.kernel ||
                strcmp(unit_kernel_name(list.unit, i), options->scenario.kernel) == 0)
                list_kernel(&list, i);
        if (unit_kernel_count(list.unit))
            table_write(list.table, options->format, options->color, out);
        else
            problem_say(problem, "%s has no __global__ function", text.source.name);
        table_free(list.table);
    }
    unit_close(list.unit);
    text_close(&text);
    return problem->set ? EXIT_TROUBLE : EXIT_FINE;
}
