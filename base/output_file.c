#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINK_LIMIT = 40, NAME_TRIES = 100 };

static const int enders[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGXCPU, SIGXFSZ};
enum { ENDERS = sizeof enders / sizeof *enders };

/* What a signal's handler may look at: the temporary files. A handler has no argument to be given them by. */
static struct {
    const char *volatile temporary[OUTPUT_FILE_LIMIT];
    unsigned open;
    bool taken[ENDERS];
    struct sigaction before[ENDERS];
} in_progress;

static void remove_and_end(int number)
{
    for (unsigned i = 0; i < OUTPUT_FILE_LIMIT; i++)
        if (in_progress.temporary[i])
            (void)unlink(in_progress.temporary[i]);
    (void)signal(number, SIG_DFL);
    (void)raise(number); /* the program ends the way that signal ends a program */
}

/* Only signals that nobody ignores or handles: those would not end the program. */
static void take_signals(void)
{
    struct sigaction action = {.sa_handler = remove_and_end};
    (void)sigemptyset(&action.sa_mask);
    for (unsigned i = 0; i < ENDERS; i++) {
        (void)sigaction(enders[i], NULL, &in_progress.before[i]);
        in_progress.taken[i] = in_progress.before[i].sa_handler == SIG_DFL;
        if (in_progress.taken[i])
            (void)sigaction(enders[i], &action, NULL);
    }
}

static void give_signals_back(void)
{
    for (unsigned i = 0; i < ENDERS; i++)
        if (in_progress.taken[i])
            (void)sigaction(enders[i], &in_progress.before[i], NULL);
}

static void enter(struct output_file *file)
{
    if (in_progress.open++ == 0)
        take_signals();
    for (file->slot = 0; in_progress.temporary[file->slot]; file->slot++)
        ;
    in_progress.temporary[file->slot] = file->temporary;
}

static void leave(struct output_file *file)
{
    in_progress.temporary[file->slot] = NULL;
    if (--in_progress.open == 0)
        give_signals_back();
    file->temporary[0] = '\0';
}

/* The folder of a path as the system names it; the name's place in the path. NULL: there is no such folder.
 */
static char *folder_of(const char *path, const char **name)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    size_t length = slash ? (size_t)(slash - path) : 0;
    (void)snprintf(folder, sizeof folder, "%.*s", slash ? (int)length : 1, slash ? path : ".");
    return realpath(slash && !length ? "/" : folder, NULL);
}

/* Follows links to the name that is to be written. `*direct`: it is a descriptor of this or another program
 * (/dev/stdout, /dev/fd/3, /proc/self/fd/1), whose file must not be taken away from under it. */
static bool follow(const char *path, char target[PATH_MAX], bool *direct)
{
    char at[PATH_MAX], link[PATH_MAX];
    if (snprintf(at, sizeof at, "%s", path) >= (int)sizeof at)
        return errno = ENAMETOOLONG, false;
    for (int i = 0; i < LINK_LIMIT; i++) {
        const char *name;
        char *folder = folder_of(at, &name);
        if (!folder)
            return false;
        int length = snprintf(target, PATH_MAX, "%s%s%s", folder, folder[1] ? "/" : "", name);
        *direct = strncmp(folder, "/proc/", 6) == 0;
        char base[PATH_MAX];
        (void)snprintf(base, sizeof base, "%s", folder);
        free(folder);
        if (length >= PATH_MAX)
            return errno = ENAMETOOLONG, false;
        ssize_t size = *direct ? -1 : readlink(target, link, sizeof link - 1);
        if (size < 0)
            return true; /* no link: what it is otherwise, opening it will tell */
        link[size] = '\0';
        length = link[0] == '/' ? snprintf(at, sizeof at, "%s", link)
                                : snprintf(at, sizeof at, "%s/%s", base, link);
        if (length >= (int)sizeof at)
            return errno = ENAMETOOLONG, false;
    }
    return errno = ELOOP, false;
}

/* A file in the target's folder that nobody else has, known to the signals; -1 with errno. Its name does not
 * contain the target's, which may be as long as the system allows. */
static int open_beside(struct output_file *file)
{
    int descriptor = -1, folder = (int)(strrchr(file->target, '/') - file->target);
    sigset_t held, before;
    (void)sigemptyset(&held);
    for (unsigned i = 0; i < ENDERS; i++)
        (void)sigaddset(&held, enders[i]);
    (void)sigprocmask(SIG_BLOCK, &held, &before);
    errno = EEXIST;
    for (unsigned try = 0; try < NAME_TRIES && descriptor < 0 && errno == EEXIST; try++) {
        int length = snprintf(file->temporary, PATH_MAX, "%.*s/.lanescope-%ld-%u.tmp", folder, file->target,
                              (long)getpid(), try);
        if (length >= PATH_MAX)
            errno = ENAMETOOLONG;
        else
            descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (descriptor >= 0)
        enter(file);
    int error = errno;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return descriptor;
}

static bool fail(struct output_file *file, struct problem *problem)
{
    int error = errno;
    file->stream = NULL;
    file->temporary[0] = '\0';
    if (error == EEXIST && file->rule == OUTPUT_IS_NEW)
        return problem_say_world(problem, "%s exists already and stays as it is; type another name",
                                 file->path);
    return problem_say_world(problem, "%s cannot be written: %s", file->path, strerror(error));
}

/* What is no ordinary file. A descriptor of this program goes on where it is, as if nothing had been opened:
 * a new opening of /dev/stdout would begin a redirected file anew. */
static FILE *open_directly(const char *path, const char *target)
{
    char own[64], *end;
    size_t length = (size_t)snprintf(own, sizeof own, "/proc/%ld/fd/", (long)getpid());
    if (strncmp(target, own, length) != 0)
        return fopen(path, "w");
    long number = strtol(target + length, &end, 10);
    int copy = *end || number < 0 || number > INT_MAX ? -1 : dup((int)number);
    return copy < 0 ? NULL : fdopen(copy, "w");
}

bool output_file_open(struct output_file *file, const char *path, enum output_rule rule,
                      struct problem *problem)
{
    struct stat status;
    bool direct;
    *file = (struct output_file){.path = path, .rule = rule, .slot = -1};
    if (!*path)
        errno = ENOENT;
    if (!*path || !follow(path, file->target, &direct))
        return fail(file, problem);
    bool exists = stat(path, &status) == 0;
    if (direct || (exists && !S_ISREG(status.st_mode))) {
        file->stream = open_directly(path, file->target);
        return file->stream || fail(file, problem);
    }
    if (exists && rule == OUTPUT_IS_NEW)
        return errno = EEXIST, fail(file, problem);
    if (exists && faccessat(AT_FDCWD, file->target, W_OK, AT_EACCESS) != 0)
        return fail(file, problem);
    if (in_progress.open == OUTPUT_FILE_LIMIT)
        return errno = EMFILE, fail(file, problem);
    int descriptor = open_beside(file);
    if (descriptor < 0 && exists)
        return problem_say_world(problem, "%s cannot be replaced: its folder takes no new file: %s", path,
                                 strerror(errno));
    if (descriptor < 0)
        return fail(file, problem);
    if (exists) {
        (void)!fchown(descriptor, status.st_uid, status.st_gid); /* not root: it becomes the user's own */
        (void)fchmod(descriptor, status.st_mode & 0777);
    }
    file->stream = fdopen(descriptor, "w");
    if (file->stream)
        return true;
    int error = errno;
    (void)close(descriptor);
    (void)unlink(file->temporary);
    leave(file);
    errno = error;
    return fail(file, problem);
}

/* Puts the finished file in its target's place; errno says why not. */
static bool take_place(const struct output_file *file)
{
    if (file->rule == OUTPUT_REPLACES)
        return rename(file->temporary, file->target) == 0;
    if (link(file->temporary, file->target) == 0)
        return unlink(file->temporary) == 0;
    if (errno == EEXIST || access(file->target, F_OK) == 0)
        return errno = EEXIST, false;
    return rename(file->temporary, file->target) == 0; /* a file system without hard links */
}

bool output_flush(FILE *stream, const char **why)
{
    bool failed = fflush(stream) != 0;
    if (!failed && !ferror(stream))
        return true;
    /* An earlier write failed, and its reason is long overwritten: the output is broken anyway, so ask again.
     */
    if (!failed)
        failed = fputc('\n', stream) == EOF || fflush(stream) != 0;
    *why = failed ? strerror(errno) : "an earlier write did not succeed";
    return false;
}

bool output_file_finish(struct output_file *file, bool keep, struct problem *problem)
{
    const char *why;
    if (!file->stream)
        return true;
    bool failed = !output_flush(file->stream, &why);
    if (fclose(file->stream) != 0 && !failed) {
        failed = true;
        why = strerror(errno);
    }
    file->stream = NULL;
    bool direct = !file->temporary[0], placed = false;
    if (!direct) {
        errno = 0;
        placed = keep && !failed && take_place(file);
        int error = errno;
        if (!placed)
            (void)unlink(file->temporary);
        leave(file);
        errno = error;
    }
    if (!keep || placed || (direct && !failed))
        return true;
    return failed ? problem_say_world(problem, "writing to %s failed: %s", file->path, why)
                  : fail(file, problem);
}

/* Where a file of that name would be; both names are new. */
static bool is_one_new_file(const char *path, const char *other)
{
    char a[PATH_MAX], b[PATH_MAX];
    bool direct;
    return follow(path, a, &direct) && !direct && follow(other, b, &direct) && strcmp(a, b) == 0;
}

bool output_file_is(const char *path, const char *other)
{
    struct stat a, b;
    bool exists = stat(path, &a) == 0, other_exists = stat(other, &b) == 0;
    if (!exists && !other_exists)
        return is_one_new_file(path, other);
    return exists && other_exists && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
