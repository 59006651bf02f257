#include "library.h"

#include <dlfcn.h>
#include <string.h>

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
