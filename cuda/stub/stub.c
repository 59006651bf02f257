/* stub.c - gpu.h, compiler.h and peer.h for a program that is built without CUDA's headers.
 *
 * Both open functions say so; nothing else can then be reached, which abort() states.
 */
#include <stdlib.h>

#include "../compiler.h"
#include "../gpu.h"
#include "../peer.h"

static bool absent(struct problem *problem)
{
    return problem_say(problem,
                       "this lanescope was built without CUDA: build it where cuda.h and nvrtc.h are "
                       "found (make CUDA_HOME=...) to use a GPU");
}

bool gpu_open(struct gpu **gpu, struct problem *problem)
{
    *gpu = NULL;
    return absent(problem);
}

bool compiler_open(struct compiler **compiler, struct problem *problem)
{
    *compiler = NULL;
    return absent(problem);
}

void gpu_close(struct gpu *gpu)
{
    (void)gpu;
}

void compiler_close(struct compiler *compiler)
{
    (void)compiler;
}

const char *compiler_include_folder(void)
{
    return NULL;
}

void binary_free(struct binary *binary)
{
    *binary = (struct binary){0};
}

struct peer *peer_open(void)
{
    return NULL;
}

void peer_close(struct peer *peer)
{
    (void)peer;
}

struct gpu_clocks gpu_clocks_now(void)
{
    return (struct gpu_clocks){0};
}

#define UNREACHABLE                                                                                          \
    {                                                                                                        \
        abort();                                                                                             \
    }

/* clang-format off */
#define UNUSED __attribute__((unused))
bool gpu_attach(UNUSED struct gpu *g, UNUSED struct problem *p) UNREACHABLE
bool gpu_available(UNUSED struct gpu *g, UNUSED uint64_t *n, UNUSED struct problem *p) UNREACHABLE
const struct gpu_facts *gpu_facts(UNUSED const struct gpu *g) UNREACHABLE
bool gpu_take(UNUSED struct gpu *g, UNUSED uint64_t n, UNUSED uint64_t *a, UNUSED struct problem *p) UNREACHABLE
void gpu_give(UNUSED struct gpu *g, UNUSED uint64_t a) UNREACHABLE
bool gpu_set(UNUSED struct gpu *g, UNUSED uint64_t a, UNUSED uint8_t v, UNUSED uint64_t n,
             UNUSED struct problem *p) UNREACHABLE
bool gpu_write(UNUSED struct gpu *g, UNUSED uint64_t a, UNUSED const void *f, UNUSED uint64_t n,
               UNUSED struct problem *p) UNREACHABLE
bool gpu_read(UNUSED struct gpu *g, UNUSED void *t, UNUSED uint64_t a, UNUSED uint64_t n,
              UNUSED struct problem *p) UNREACHABLE
bool gpu_load(UNUSED struct gpu *g, UNUSED const void *i, UNUSED const char *n, UNUSED struct gpu_kernel *k,
              UNUSED struct problem *p) UNREACHABLE
void gpu_unload(UNUSED struct gpu *g, UNUSED struct gpu_kernel *k) UNREACHABLE
bool gpu_symbol(UNUSED struct gpu *g, UNUSED const struct gpu_kernel *k, UNUSED const char *n,
                UNUSED uint64_t *a, UNUSED struct problem *p) UNREACHABLE
bool gpu_launch(UNUSED struct gpu *g, UNUSED const struct gpu_kernel *k, UNUSED const struct launch *l,
                UNUSED void **a, UNUSED struct problem *p) UNREACHABLE
bool peer_takes(UNUSED const struct peer *e, UNUSED uint32_t r, UNUSED uint32_t c, UNUSED unsigned b) UNREACHABLE
bool peer_transpose(UNUSED struct peer *e, UNUSED uint64_t i, UNUSED uint64_t o, UNUSED uint32_t r, UNUSED uint32_t c,
                    UNUSED unsigned b, UNUSED struct problem *p) UNREACHABLE
bool gpu_enqueue(UNUSED struct gpu *g, UNUSED const struct gpu_kernel *k, UNUSED const struct launch *l,
                 UNUSED void **a, UNUSED struct problem *p) UNREACHABLE
bool gpu_copy(UNUSED struct gpu *g, UNUSED uint64_t t, UNUSED uint64_t f, UNUSED uint64_t n,
              UNUSED struct problem *p) UNREACHABLE
bool gpu_wait(UNUSED struct gpu *g, UNUSED struct problem *p) UNREACHABLE
bool gpu_timer_start(UNUSED struct gpu *g, UNUSED struct problem *p) UNREACHABLE
bool gpu_timer_stop(UNUSED struct gpu *g, UNUSED double *ms, UNUSED struct problem *p) UNREACHABLE
void compiler_version(UNUSED const struct compiler *c, UNUSED int *major, UNUSED int *minor) UNREACHABLE
unsigned compiler_architectures(UNUSED const struct compiler *c, UNUSED int *l, UNUSED unsigned n) UNREACHABLE
bool compiler_compile(UNUSED struct compiler *c, UNUSED const struct compilation *t, UNUSED struct binary *b,
                      UNUSED struct problem *p) UNREACHABLE
    /* clang-format on */
