/* refusal.c - names of CUDA and of libraries that are known and not followed: why not, and the way round. */
#include "parse.h"

#include <string.h>

struct refusal {
    const char *names; /* with commas; one that ends in * stands for all that begin so */
    const char *why;
};

static const struct refusal refusals[] = {
    {"curand*,skipahead*",
     "is not followed: how a compiler splits the accesses to a generator's state in memory is not in the "
     "text; "
     "NVRTC and nvcc, which have its header, take it. Or take the numbers from a buffer"},
    {"__cvta_*", "is not supported: the asm that gets this address goes to memory by itself (cp.async, "
                 "ldmatrix), and how "
                 "that is split is not known here. Leave both out to count the rest"},
    {"__pipeline_*,cp_async*,memcpy_async",
     "is not supported: how a copy past the registers counts is not known here. shared[i] = global[i] in its "
     "place counts the same addresses as a load and a store"},
    {"cub", "is not followed: how its collectives use memory is not in the text. nvcc, which has its "
            "headers, takes it; or leave the collective out to count the rest"},
    {"cute,cutlass",
     "is not followed: which accesses its layouts and atoms become is not in the text. nvcc with "
     "its headers takes it"},
    {"cudaMalloc,cudaFree,cudaStream*,cudaEvent*,cudaLaunch*,cudaMemcpy*,cudaMemset*,cudaDeviceSynchronize,"
     "cudaGraph*,malloc,free",
     "is not supported inside a kernel: what it does is not the kernel's own access. Leave it out to count "
     "the "
     "rest"},
};

static bool is_named(const char *names, const struct token *name)
{
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, ",");
        bool begins = length && at[length - 1] == '*';
        size_t same = begins ? length - 1 : length;
        if ((begins ? name->length >= same : name->length == same) && memcmp(name->text, at, same) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

bool parse_refuse_known(struct parser *parser, const struct token *name)
{
    for (size_t i = 0; name->kind == TOKEN_NAME && i < sizeof refusals / sizeof *refusals; i++)
        if (is_named(refusals[i].names, name)) {
            parse_fail(parser, name, "%.*s %s", (int)(name->length < 60 ? name->length : 60), name->text,
                       refusals[i].why);
            return true;
        }
    return false;
}
