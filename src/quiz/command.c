/* command.c - `lanescope quiz`: predict, then see why. */
#include "../command.h"
#include "quiz.h"

static bool check(const struct options *o, struct problem *problem)
{
    if (o->quiz.sheet && o->quiz.answers)
        return problem_say(problem, "--sheet is the worksheet, --answers its key: ask for one of them");
    if (o->quiz.json && o->format == FORMAT_CSV)
        return problem_say(problem, "--json is -f json: leave out one of --json and -f csv");
    if (o->output && o->format == FORMAT_TEXT && !o->quiz.sheet && !o->quiz.answers && !o->quiz.json)
        return problem_say(problem, "-o needs something to write: --sheet, --answers, --json or -f csv");
    return true;
}

int command_quiz(const struct options *options, FILE *out, struct problem *problem)
{
    struct quiz quiz = {0};
    enum format format = options->quiz.json ? FORMAT_JSON : options->format;
    bool fine = check(options, problem) &&
                quiz_make(&quiz, options->scenario.seed, options->quiz.count, options->quiz.topics, problem);
    quiz.device = options->scenario.device;
    if (fine && format != FORMAT_TEXT)
        quiz_print_rows(&quiz, format, !options->quiz.sheet, out);
    else if (fine && (options->quiz.sheet || options->quiz.answers))
        quiz_print_sheet(&quiz, options->quiz.answers, out);
    else if (fine)
        fine = quiz_ask(&quiz, stdin, out, problem);
    quiz_free(&quiz);
    return fine ? EXIT_FINE : EXIT_TROUBLE;
}
