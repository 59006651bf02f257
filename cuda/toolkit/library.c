#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *library_open(const char *name, const char *end_of_11)
{
    const char *home = getenv("CUDA_HOME");
    const char *const folders[] = {"", home ? home : "", "/usr/local/cuda"};
    const char *const inner[] = {"lib64/", "lib/", "targets/x86_64-linux/lib/"};
    for (unsigned f = 0; f < 3; f++)
        for (unsigned i = 0; i < (f ? 3u : 1u); i++)
            for (int version = 13; version >= 11; version--) {
                char path[1024];
                if (f && !folders[f][0])
                    continue;
                (void)snprintf(path, sizeof path, "%s%s%slib%s.so.%d%s", folders[f], f ? "/" : "",
                               f ? inner[i] : "", name, version, version == 11 ? end_of_11 : "");
                void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
                if (library)
                    return library;
            }
    return NULL;
}

bool library_bind(void *library, const char *what, const struct library_symbol *symbols, size_t count,
                  void *into, struct problem *problem)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (!address)
            return problem_say(problem, "%s has no function %s: it is too old for this program", what,
                               symbols[i].name);
        memcpy((char *)into + symbols[i].offset, &address, sizeof address);
    }
    return true;
}
