/* main.c - from the command line to a command and back to an exit code. */
#include <errno.h>
#include <string.h>

#include "command.h"

/* A full disk or a closed pipe is an error, not a shorter output. */
static int finish_output(FILE *out, const char *path, int code)
{
    bool failed = fflush(out) != 0 || ferror(out);
    int error = errno;
    if (out != stdout)
        failed = fclose(out) != 0 || failed;
    if (!failed)
        return code;
    (void)fprintf(stderr, "lanescope: writing to %s failed: %s\n", path ? path : "the standard output",
                  strerror(error));
    return EXIT_NO;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct problem problem = {0};
    struct options options;
    FILE *out = stdout;
    if (!options_parse(&options, command, argc, argv, &problem)) {
        report_problem(&problem);
        return EXIT_USAGE;
    }
    if (options.help) {
        command_print_help(command, stdout);
        return finish_output(stdout, NULL, EXIT_FINE);
    }
    if (options.operand_count < command->least_operands || options.operand_count > command->most_operands) {
        (void)fprintf(stderr, "lanescope: usage: lanescope %s %s; see lanescope %s --help\n", command->name,
                      command->operands, command->name);
        return EXIT_USAGE;
    }
    if (options.output && !(out = fopen(options.output, "w"))) {
        (void)fprintf(stderr, "lanescope: %s cannot be written: %s\n", options.output, strerror(errno));
        return EXIT_NO;
    }
    int code = command->run(&options, out, &problem);
    code = finish_output(out, options.output, code);
    if (!problem.set)
        return code;
    report_problem(&problem);
    return problem.world ? EXIT_NO : code;
}

int main(int argc, char **argv)
{
    char *alone[] = {"tui", NULL};
    if (argc < 2)
        return run(command_find("tui"), 1, alone);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        const struct command *command = argc > 2 ? command_find(argv[2]) : NULL;
        if (command)
            command_print_help(command, stdout);
        else
            program_print_help(stdout);
        return finish_output(stdout, NULL, EXIT_FINE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)puts("lanescope " LANESCOPE_VERSION);
        return finish_output(stdout, NULL, EXIT_FINE);
    }
    const struct command *command = command_find(argv[1]);
    if (command)
        return run(command, argc - 1, argv + 1);
    (void)fprintf(stderr, "lanescope: there is no command %s; see lanescope --help\n", argv[1]);
    return EXIT_USAGE;
}
