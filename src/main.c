/* main.c - from the command line to a command and back to an exit code. */
#include <signal.h>
#include <string.h>

#include "../base/output_file.h"
#include "../base/version.h"
#include "../sim/report/rung.h"
#include "command.h"
#include "report.h"

/* A full disk or a closed pipe is an error, not a shorter output. */
static int finish_stdout(int code)
{
    const char *why;
    if (output_flush(stdout, &why))
        return code;
    (void)fprintf(stderr, "lanescope: writing to the standard output failed: %s\n", why);
    return EXIT_TROUBLE;
}

/* Does the command read a file of this name? */
static bool is_input(const struct command *command, const char *operand)
{
    return strstr(command->operands, "FILE") && !kernel_find(operand);
}

/* What is written must not be what is read, nor written twice. */
static bool check_files(const struct command *command, const struct options *o, struct problem *problem)
{
    const char *outputs[OPTION_PATH_LIMIT], *inputs[OPTION_PATH_LIMIT + OPTION_OPERAND_LIMIT];
    unsigned written = options_paths(o, true, outputs), read = options_paths(o, false, inputs);
    for (unsigned i = 0; i < o->operand_count; i++)
        if (is_input(command, o->operands[i]))
            inputs[read++] = o->operands[i];
    for (unsigned i = 0; i < written; i++) {
        for (unsigned k = read; k-- > 0;)
            if (output_file_is(outputs[i], inputs[k]))
                return problem_say(problem,
                                   "%s is read, so it cannot be written too; name another output than %s",
                                   inputs[k], outputs[i]);
        for (unsigned k = 0; k < i; k++)
            if (output_file_is(outputs[i], outputs[k]))
                return problem_say(problem, "%s and %s are one file; each output needs a file of its own",
                                   outputs[k], outputs[i]);
    }
    return true;
}

/* With -o into a file that takes its place when all of it is there: also when the answer is no. */
static int run_command(const struct command *command, const struct options *options, struct problem *problem)
{
    struct output_file file = {0};
    bool to_file = options->output && !options->confirm.launch_only; /* which prints nothing */
    if (!check_files(command, options, problem))
        return EXIT_TROUBLE;
    if (to_file && !output_file_open(&file, options->output, OUTPUT_REPLACES, problem))
        return EXIT_TROUBLE;
    int code = command->run(options, to_file ? file.stream : stdout, problem);
    if (problem->set && problem->kind == PROBLEM_KERNEL && code != EXIT_ABSENT)
        code = EXIT_NO;
    if (!to_file)
        return finish_stdout(code);
    bool keep = code <= EXIT_NO && !problem->set;
    return output_file_finish(&file, keep, problem) ? code : EXIT_TROUBLE;
}

static bool takes_option(const struct command *command, const char *name)
{
    for (const char *const *option = command->options; *option; option++)
        if (strcmp(*option, name) == 0)
            return true;
    return false;
}

static bool has_its_operands(const struct command *command, const struct options *options,
                             struct problem *problem)
{
    const char *name = command->name;
    if (options->operand_count < command->least_operands)
        return problem_say(problem, "say what of: lanescope %s %s; see lanescope %s --help", name,
                           command->operands, name);
    if (options->operand_count <= command->most_operands)
        return true;
    const char *more = options->operands[command->most_operands];
    if (!command->most_operands)
        return problem_say(problem, "lanescope %s takes options alone, not '%s'; see lanescope %s --help",
                           name, more, name);
    return problem_say(problem, "'%s' is one too many: lanescope %s %s; see lanescope %s --help", more, name,
                       command->operands, name);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct problem problem = {0};
    struct options options;
    if (!options_parse(&options, command, argc, argv, &problem)) {
        report_problem(&problem);
        return EXIT_TROUBLE;
    }
    if (options.help) {
        command_print_help(command, stdout);
        return finish_stdout(EXIT_FINE);
    }
    if (!has_its_operands(command, &options, &problem)) {
        report_problem(&problem);
        return EXIT_TROUBLE;
    }
    patience_begin(&options.patience);
    options.scenario.watch = &options.patience.watch;
    options.includes.folders = options.include_folders;
    options.includes.folder_count = options.include_folder_count;
    include_files_begin(&options.includes);
    options.scenario.includes = &options.includes.reader;
    ways_begin(&options.ways, (enum via)options.via);
    if (options.via != VIA_BUILTIN && takes_option(command, "via"))
        options.scenario.compiler = &options.ways.compiler;
    int code = run_command(command, &options, &problem);
    if (problem.set) {
        report_problem(&problem);
        report_wants(&problem, argc, argv);
    }
    ways_end(&options.ways);
    include_files_end(&options.includes);
    return code;
}

int main(int argc, char **argv)
{
    char *alone[] = {"tui", NULL};
    (void)signal(SIGPIPE, SIG_IGN); /* a closed pipe then shows as a failed write, which is said */
    if (argc < 2)
        return run(command_find("tui"), 1, alone);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        const struct command *command = argc > 2 ? command_find(argv[2]) : NULL;
        if (command)
            command_print_help(command, stdout);
        else
            program_print_help(stdout);
        return finish_stdout(EXIT_FINE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)puts("lanescope " LANESCOPE_VERSION);
        return finish_stdout(EXIT_FINE);
    }
    if (strcmp(argv[1], "--man") == 0) {
        program_print_manual(stdout);
        return finish_stdout(EXIT_FINE);
    }
    if (strcmp(argv[1], "--completion") == 0) {
        if (argc == 3 && program_print_completion(argv[2], stdout))
            return finish_stdout(EXIT_FINE);
        (void)fputs("lanescope: --completion takes a shell: bash, zsh or fish\n", stderr);
        return EXIT_TROUBLE;
    }
    const struct command *command = command_find(argv[1]);
    if (command)
        return run(command, argc - 1, argv + 1);
    (void)fprintf(stderr, "lanescope: there is no command %s; see lanescope --help\n", argv[1]);
    return EXIT_TROUBLE;
}
