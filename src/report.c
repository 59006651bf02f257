#include "report.h"

#include "../sim/report/scenario_data.h"
#include "include_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How each cure is given on the command line. */
static const char *const cures[PROBLEM_CURE_COUNT] = {
    [PROBLEM_CURE_SHARED_BYTES] = "say how many bytes with --shared",
    [PROBLEM_CURE_BUDGET] = "if it does end, allow more with --budget",
    [PROBLEM_CURE_TIME] = "if it does end, give it more time with --time-limit",
    [PROBLEM_CURE_KERNEL] = "choose one with --kernel",
    [PROBLEM_CURE_TEMPLATE] = "choose with --template '32, float'",
    [PROBLEM_CURE_ARGUMENT] = "give it with --arg NAME=FORMULA",
    [PROBLEM_CURE_DEFINITION] = "if it is a constant, give it with -D NAME=VALUE",
    [PROBLEM_CURE_DATA] = "give it with --data NAME=FORMULA",
    [PROBLEM_CURE_ELEMENT] = "say their width with --elem",
    [PROBLEM_CURE_BLOCK] = "or give it with --block 32x8",
    [PROBLEM_CURE_GRID] = "or give it with --grid 3x4",
    [PROBLEM_CURE_IN] = "name one with --in",
    [PROBLEM_CURE_OUT] = "name one with --out",
    [PROBLEM_CURE_NO_TILE] = "leave out --tile",
    [PROBLEM_CURE_NO_BLOCK_ROWS] = "leave out --block-rows",
    [PROBLEM_CURE_NO_PITCH] = "leave out --pitch",
    [PROBLEM_CURE_NO_ELEMENT] = "leave out --elem",
};

/* The cure's words, with the problem's subject for NAME. NULL: there is no cure. */
static const char *advice_of(const struct problem *problem, char *out, size_t size)
{
    const char *cure = cures[problem->cure], *name = cure ? strstr(cure, "NAME") : NULL;
    if (!name || !problem->subject[0])
        return cure;
    (void)snprintf(out, size, "%.*s%s%s", (int)(name - cure), cure, problem->subject, name + strlen("NAME"));
    return out;
}

void report_problem(const struct problem *problem)
{
    char text[PROBLEM_MESSAGE_SIZE + 2 * PROBLEM_LINE_SIZE + 400], advice[200];
    problem_format(problem, advice_of(problem, advice, sizeof advice), text, sizeof text);
    (void)fprintf(stderr, "%s%s\n", problem->file[0] ? "" : "lanescope: ", text);
}

/* As a shell reads it back. */
static void print_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=.,/:+%@";
    bool quoted = !*word || word[strspn(word, plain)];
    (void)fprintf(stderr, quoted ? " '" : " ");
    for (; *word; word++)
        if (*word == '\'')
            (void)fputs("'\\''", stderr);
        else
            (void)fputc((unsigned char)*word < 32 || *word == 127 ? '?' : *word, stderr);
    if (quoted)
        (void)fputc('\'', stderr);
}

void report_wants(const struct problem *problem, int argc, char **argv)
{
    static const char *const flags[PROBLEM_CURE_COUNT] = {
        [PROBLEM_CURE_BLOCK] = "--block",         [PROBLEM_CURE_GRID] = "--grid",
        [PROBLEM_CURE_ARGUMENT] = "--arg",        [PROBLEM_CURE_DEFINITION] = "-D",
        [PROBLEM_CURE_SHARED_BYTES] = "--shared", [PROBLEM_CURE_TEMPLATE] = "--template"};
    if (!problem->want_count)
        return;
    (void)fputs("for example: lanescope", stderr);
    for (int i = 0; i < argc; i++)
        print_word(argv[i]);
    for (unsigned i = 0; i < problem->want_count; i++) {
        (void)fprintf(stderr, " %s", flags[problem->wants[i].cure]);
        print_word(problem->wants[i].value);
    }
    (void)fputc('\n', stderr);
}

/* A sentence for the reader of the output, beside it where programs read that. */
static void say_first(const struct scenario *scenario, bool is_text, FILE *out, const char *sentence)
{
    if (is_text)
        (void)fprintf(out, "%s\n", sentence);
    else
        (void)fprintf(stderr, "lanescope: %s: %s\n", scenario->text.name, sentence);
}

/* Of PTX: whose counts these are, and why a compiler was asked. */
static void report_compiled(const struct scenario *scenario, bool is_text, FILE *out)
{
    const struct scenario_compiled *compiled = &scenario->compiled;
    bool is_template = compiled->template_arguments && *compiled->template_arguments;
    char line[1200];
    if (!scenario->ptx)
        return;
    (void)snprintf(line, sizeof line,
                   "%s%s%.200s%s%s %s%.60s: counts are of the compiled code, as the compiler unrolled, "
                   "merged or left out accesses",
                   scenario->program->name, is_template ? "<" : "",
                   is_template ? compiled->template_arguments : "", is_template ? ">" : "",
                   is_template && compiled->template_assumed ? " (assumed: --template says others)" : "",
                   compiled->compiler ? "compiled to PTX by " : "of PTX",
                   compiled->compiler ? compiled->compiler : "");
    say_first(scenario, is_text, out, line);
    if (compiled->assumed && *compiled->assumed) {
        (void)snprintf(
            line, sizeof line,
            "assumed, as nothing here declares it: %s; a header in its place, or -D NAME=..., says otherwise",
            compiled->assumed);
        say_first(scenario, is_text, out, line);
    }
    if (scenario->refusal[0]) {
        (void)snprintf(line, sizeof line, "the built-in language does not take it: %s", scenario->refusal);
        say_first(scenario, is_text, out, line);
    }
}

/* Headers that were found where nothing said that they are. */
static void report_searched(const struct scenario *scenario, bool is_text, FILE *out)
{
    char paths[240], line[400];
    unsigned count = include_files_searched(scenario->options.includes, paths, sizeof paths);
    if (!count)
        return;
    (void)snprintf(line, sizeof line, "header%s found by search: %s; -I FOLDER says another place",
                   count == 1 ? "" : "s", paths);
    say_first(scenario, is_text, out, line);
}

/* What no one has said, before anything else. */
static void report_assumed(const struct scenario *scenario, bool is_text, FILE *out)
{
    char line[SCENARIO_NOTE_SIZE + 200];
    if (!*scenario->assumed)
        return;
    (void)snprintf(line, sizeof line,
                   "ASSUMED, as neither the file nor an option says it: %s; --block, --grid, --arg, --shared "
                   "and -m, -n say others",
                   scenario->assumed);
    say_first(scenario, is_text, out, line);
}

void report_launch(const struct scenario *scenario, bool is_text, FILE *out)
{
    report_assumed(scenario, is_text, out);
    report_searched(scenario, is_text, out);
    report_compiled(scenario, is_text, out);
    if (scenario->note_of_launch[0])
        say_first(scenario, is_text, out, scenario->note_of_launch);
}

void report_passed_over(const struct scenario *scenario)
{
    unsigned includes = unit_skipped_includes(scenario->unit);
    if (includes)
        (void)fprintf(stderr, "lanescope: %s: %u #include line%s passed over: what %s is not known here\n",
                      scenario->text.name, includes, includes == 1 ? " was" : "s were",
                      includes == 1 ? "it brings" : "they bring");
}

void report_data(const struct scenario *scenario, FILE *out)
{
    for (unsigned i = 0; i < scenario->data_count; i++) {
        const struct scenario_data *data = &scenario->data[i];
        (void)fprintf(out, "assumed data: %s = %.*s", data->name, (int)data->text.size, data->text.bytes);
        if (data->text.size > 0 && strncmp(data->text.bytes, "random:", strlen("random:")) == 0)
            (void)fprintf(out, ", seed %" PRIu64, scenario->options.seed);
        else if (data->text.size > 0 && data->text.bytes[0] == '@')
            (void)fprintf(out, ", %" PRIu64 " numbers", data->count);
        (void)fputc('\n', out);
    }
}

static void report_first(const struct overflow *o, const char *what, const char *cure)
{
    struct problem place = {0};
    problem_at(&place, o->place.source, o->place.begin,
               "%s: first in block (%u, %u, %u), warp %u, lane %u, %" PRIu64 " lane operations in all; %s",
               what, o->block[0], o->block[1], o->block[2], o->warp, o->lane, o->lanes, cure);
    report_problem(&place);
}

bool report_overflow(const struct noticed *noticed)
{
    const struct overflow *o = &noticed->overflow, *wrap = &noticed->wrap;
    char what[120];
    if (o->lanes && o->kind == OVERFLOW_SHIFT) {
        char cure[80];
        (void)snprintf(what, sizeof what, "this shifts a %u-bit value by %" PRId64, o->bits, o->value);
        (void)snprintf(cure, sizeof cure, "a count is 0 to %u, anything else is undefined", o->bits - 1);
        report_first(o, what, cure);
    } else if (o->lanes) {
        (void)snprintf(what, sizeof what, "%u-bit arithmetic overflows here", o->bits);
        report_first(o, what,
                     o->bits == 32 ? "if this is an index, compute it in size_t"
                                   : "the result is undefined: smaller operands are needed");
    }
    if (wrap->lanes)
        report_first(wrap, "note: unsigned arithmetic wraps around here",
                     "that is defined, and right in a hash; an index should be computed in size_t");
    struct place local = noticed->local_array.place;
    if (local.source) {
        struct problem place = {0};
        problem_at(
            &place, local.source, local.begin,
            "note: lanes take different elements of a local array here, which a compiler then keeps in local "
            "memory; that is neither global nor shared, and not counted");
        report_problem(&place);
    }
    struct place uncounted = noticed->uncounted;
    if (uncounted.source) {
        struct problem place = {0};
        problem_at(&place, uncounted.source, uncounted.begin,
                   "note: what goes through textures and surfaces has a path of its own and is not counted");
        report_problem(&place);
    }
    return o->lanes != 0;
}

void report_at(uint64_t count, const struct place *place, const char *before, const char *after)
{
    struct problem problem = {0};
    if (!count)
        return;
    problem_at(&problem, place->source, place->begin, "%s%" PRIu64 "%s", before, count, after);
    report_problem(&problem);
}

void report_missed(uint64_t count, const struct place *barrier)
{
    report_at(count, barrier,
              "note: warps that ended, all or some of their lanes, without reaching this barrier: ",
              "; the hardware does not wait for them, but CUDA asks that all threads "
              "of the block reach the same barriers");
}

bool report_grid(const struct scenario *scenario)
{
    struct problem refused = {0};
    if (launch_check_grid(scenario->launch.grid, &refused))
        return true;
    (void)fprintf(stderr, "lanescope: %s: %s; these are the numbers that it would have\n",
                  scenario->program->name, refused.message);
    return false;
}

void report_census(const struct census *census)
{
    const struct region_cause *cause = &census->cause;
    struct problem place = {0};
    if (!cause->why)
        return;
    problem_at(&place, cause->place.source, cause->place.begin,
               "note: %s, so that each block is run by itself", cause->why);
    report_problem(&place);
}

void report_narrowed(const struct program *program, const struct noticed *noticed)
{
    const struct narrowed *narrowed = &noticed->narrowed;
    struct problem place = {0};
    char from[80], to[80];
    if (!narrowed->lanes)
        return;
    type_print(&narrowed->what->from, from, sizeof from);
    type_print(&narrowed->what->to, to, sizeof to);
    int tile = narrowed->what->tile;
    if (tile >= 0)
        problem_at(&place, narrowed->place.source, narrowed->place.begin,
                   "note: the tile %s is %s: data is converted from %s when it is stored here; what arrives "
                   "is right "
                   "where %s holds it",
                   program->shared[tile].name, to, from, to);
    else
        problem_at(&place, narrowed->place.source, narrowed->place.begin,
                   "note: data is converted from %s to %s here; what arrives is right where %s holds it",
                   from, to, to);
    report_problem(&place);
}

void report_by_census(const struct scenario *scenario, uint64_t regions, uint64_t boxes, uint64_t cells,
                      FILE *out)
{
    (void)fprintf(out,
                  "\nby census: %" PRIu64 " blocks in %" PRIu64 " region%s that each do the same; %" PRIu64
                  " boxes of cells hold %" PRIu64 " cells\n",
                  launch_blocks(&scenario->launch), regions, regions == 1 ? "" : "s", boxes, cells);
}
