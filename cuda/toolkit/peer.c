#include "../peer.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "../../base/arena.h"
#include "library.h"

/* cuBLAS's own declarations, as its manual has them: every version since 11 has these symbols. */
enum { OPERATION_N, OPERATION_T };
typedef int create_call(void **handle);
typedef int destroy_call(void *handle);
typedef int geam_call(void *handle, int operation_a, int operation_b, int m, int n, const void *alpha,
                      const void *a, int a_pitch, const void *beta, const void *b, int b_pitch, void *c,
                      int c_pitch);

struct peer {
    void *library, *handle;
    create_call *create;
    destroy_call *destroy;
    geam_call *geam[2]; /* of 4, 8 bytes */
};

struct peer *peer_open(void)
{
    static const char *const calls[] = {"cublasSgeam", "cublasDgeam"};
    struct peer *peer = memory_take(1, sizeof *peer);
    peer->library = library_open("cublas", "");
    if (peer->library) {
        *(void **)&peer->create = dlsym(peer->library, "cublasCreate_v2");
        *(void **)&peer->destroy = dlsym(peer->library, "cublasDestroy_v2");
        for (unsigned i = 0; i < 2; i++)
            *(void **)&peer->geam[i] = dlsym(peer->library, calls[i]);
        if (peer->create && peer->destroy && peer->create(&peer->handle) == 0)
            return peer;
        peer->handle = NULL;
    }
    peer_close(peer);
    return NULL;
}

void peer_close(struct peer *peer)
{
    if (!peer)
        return;
    if (peer->handle)
        (void)peer->destroy(peer->handle);
    if (peer->library)
        (void)dlclose(peer->library);
    free(peer);
}

static geam_call *call_for(const struct peer *peer, unsigned elem_bytes)
{
    return elem_bytes == 4 ? peer->geam[0] : elem_bytes == 8 ? peer->geam[1] : NULL;
}

bool peer_takes(const struct peer *peer, uint32_t rows, uint32_t cols, unsigned elem_bytes)
{
    return rows <= INT32_MAX && cols <= INT32_MAX && call_for(peer, elem_bytes) != NULL;
}

/* To a library that counts by columns the input is cols x rows, and its transpose has `rows` in a column. */
bool peer_transpose(struct peer *peer, uint64_t in, uint64_t out, uint32_t rows, uint32_t cols,
                    unsigned elem_bytes, struct problem *problem)
{
    static const float one4 = 1, zero4 = 0;
    static const double one8 = 1, zero8 = 0;
    const void *one = elem_bytes == 4 ? (const void *)&one4 : &one8;
    const void *zero = elem_bytes == 4 ? (const void *)&zero4 : &zero8;
    void *from = (void *)(uintptr_t)in, *to = (void *)(uintptr_t)out; /* device addresses: never followed */
    int status = call_for(peer, elem_bytes)(peer->handle, OPERATION_T, OPERATION_N, (int)rows, (int)cols, one,
                                            from, (int)cols, zero, to, (int)rows, to, (int)rows);
    return status == 0 || problem_say(problem, "cuBLAS geam failed with status %d", status);
}
