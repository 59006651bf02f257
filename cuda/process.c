#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/arena.h"

extern char **environ;

bool workplace_open(struct workplace *place, struct problem *problem)
{
    const char *base = getenv("TMPDIR");
    int length =
        snprintf(place->path, sizeof place->path, "%s/lanescope-XXXXXX", base && *base ? base : "/tmp");
    if (length > 0 && length < (int)sizeof place->path && mkdtemp(place->path))
        return true;
    place->path[0] = '\0';
    return problem_say_world(problem, "no folder for a compiler's files can be made under %s",
                             base && *base ? base : "/tmp");
}

void workplace_close(struct workplace *place)
{
    DIR *folder = place->path[0] ? opendir(place->path) : NULL;
    if (!folder)
        return;
    /* cppcheck-suppress readdirCalled ; readdir_r is deprecated: a stream of its own needs no lock */
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
    (void)closedir(folder);
    (void)rmdir(place->path);
    place->path[0] = '\0';
}

static void path_of(const struct workplace *place, const char *name, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/%s", place->path, name);
}

bool workplace_write(const struct workplace *place, const char *name, const char *bytes, size_t size,
                     struct problem *problem)
{
    char path[WORKPLACE_PATH + 40];
    path_of(place, name, path, sizeof path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    size_t done = 0;
    while (file >= 0 && done < size) {
        ssize_t n = write(file, bytes + done, size - done);
        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    bool ok = file >= 0 && close(file) == 0 && done == size;
    return ok || problem_say_world(problem, "a compiler's input cannot be written to %.200s: %s", path,
                                   strerror(errno));
}

char *workplace_read(const struct workplace *place, const char *name, size_t limit, size_t *size)
{
    char path[WORKPLACE_PATH + 40];
    path_of(place, name, path, sizeof path);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!file)
        return NULL;
    size_t capacity = 65536;
    char *bytes = memory_take(capacity + 1, 1);
    *size = 0;
    for (size_t n; (n = fread(bytes + *size, 1, capacity - *size, file)) > 0;) {
        *size += n;
        if (*size < capacity)
            continue;
        if (capacity >= limit)
            break;
        capacity *= 2;
        bytes = memory_resize(bytes, capacity + 1, 1);
    }
    (void)fclose(file);
    bytes[*size] = '\0';
    return bytes;
}

/* Waits, looking 100 times a second, then ends the process and its children. */
static enum process_end wait_for(pid_t pid, unsigned seconds)
{
    const struct timespec pause = {0, 10000000};
    int status = 0;
    for (unsigned look = 0; look < 100 * seconds; look++) {
        pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0     ? PROCESS_FINE
                   : WIFEXITED(status) && WEXITSTATUS(status) == 127 ? PROCESS_MISSING
                                                                     : PROCESS_FAILED;
        if (done < 0 && errno != EINTR)
            return PROCESS_FAILED;
        (void)nanosleep(&pause, NULL);
    }
    (void)kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return PROCESS_TIMEOUT;
}

enum process_end process_run(const struct workplace *place, const char *const *arguments, const char *folder,
                             const char *log, unsigned seconds)
{
    char path[WORKPLACE_PATH + 40];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t pid = 0;
    path_of(place, log, path, sizeof path);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return PROCESS_FAILED;
    if (posix_spawnattr_init(&attributes) != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return PROCESS_FAILED;
    }
    int bad = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    bad |= posix_spawnattr_setpgroup(&attributes, 0);
    bad |= posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    bad |= posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    bad |= posix_spawn_file_actions_adddup2(&actions, 1, 2);
    bad |= posix_spawn_file_actions_addchdir_np(&actions, folder ? folder : place->path);
    int error =
        bad ? bad
            : posix_spawnp(&pid, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error == ENOENT ? PROCESS_MISSING : error ? PROCESS_FAILED : wait_for(pid, seconds);
}

enum process_end process_apart(bool (*work)(void *), void *self, unsigned seconds)
{
    pid_t pid = fork();
    if (pid == 0) {
        (void)setpgid(0, 0);
        _exit(work(self) ? 0 : 1);
    }
    if (pid > 0)
        (void)setpgid(pid, pid); /* whoever of the two comes first */
    return pid < 0 ? PROCESS_FAILED : wait_for(pid, seconds);
}
