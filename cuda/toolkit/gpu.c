/* gpu.c - the driver API behind gpu.h. */
#include "../gpu.h"

#include <cuda.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "library.h"

#define CALLS(X)                                                                                             \
    X(cuInit)                                                                                                \
    X(cuDriverGetVersion)                                                                                    \
    X(cuGetErrorName)                                                                                        \
    X(cuGetErrorString)                                                                                      \
    X(cuDeviceGetCount)                                                                                      \
    X(cuDeviceGet)                                                                                           \
    X(cuDeviceGetName)                                                                                       \
    X(cuDeviceGetAttribute)                                                                                  \
    X(cuDeviceTotalMem)                                                                                      \
    X(cuDevicePrimaryCtxRetain)                                                                              \
    X(cuDevicePrimaryCtxRelease)                                                                             \
    X(cuCtxSetCurrent)                                                                                       \
    X(cuCtxSynchronize)                                                                                      \
    X(cuMemGetInfo)                                                                                          \
    X(cuMemAlloc)                                                                                            \
    X(cuMemFree)                                                                                             \
    X(cuMemsetD8)                                                                                            \
    X(cuMemcpyHtoD)                                                                                          \
    X(cuMemcpyDtoH)                                                                                          \
    X(cuMemcpyDtoDAsync)                                                                                     \
    X(cuEventCreate)                                                                                         \
    X(cuEventRecord)                                                                                         \
    X(cuEventSynchronize)                                                                                    \
    X(cuEventElapsedTime)                                                                                    \
    X(cuEventDestroy)                                                                                        \
    X(cuModuleLoadData)                                                                                      \
    X(cuModuleUnload)                                                                                        \
    X(cuModuleGetFunction)                                                                                   \
    X(cuModuleGetGlobal)                                                                                     \
    X(cuFuncSetAttribute)                                                                                    \
    X(cuLaunchKernel)

struct calls {
#define POINTER(name) __typeof__(&name) name;
    CALLS(POINTER)
#undef POINTER
};

static const struct library_symbol symbols[] = {
#define ROW(name) {SYMBOL_NAME(name), offsetof(struct calls, name)},
    CALLS(ROW)
#undef ROW
};

struct gpu {
    void *library;
    struct calls call;
    CUdevice device;
    CUcontext context;
    bool retained;
    CUevent event[2]; /* of the timer; NULL until it is first started */
    struct gpu_facts facts;
};

/* Says which call failed, and CUDA's words for it. */
static bool check(const struct gpu *gpu, CUresult result, const char *call, struct problem *problem)
{
    const char *name = NULL, *text = NULL;
    if (result == CUDA_SUCCESS)
        return true;
    (void)gpu->call.cuGetErrorName(result, &name);
    (void)gpu->call.cuGetErrorString(result, &text);
    return problem_say(problem, "%s failed: %s (%s)", call, text ? text : "an unknown error",
                       name ? name : "no name");
}

static void read_release(char *out, size_t size)
{
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    out[0] = '\0';
    if (!file)
        return;
    if (!fgets(out, (int)size, file))
        out[0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    (void)fclose(file);
}

static bool open_device(struct gpu *gpu, struct problem *problem)
{
    const struct calls *call = &gpu->call;
    struct gpu_facts *facts = &gpu->facts;
    int count = 0, major = 0, minor = 0, version = 0, l2 = 0, processors = 0, khz = 0;
    size_t bytes = 0;
    CUresult result = call->cuInit(0);
    if (result == CUDA_ERROR_NO_DEVICE)
        return problem_say(problem, "the NVIDIA driver finds no GPU on this machine");
    if (!check(gpu, result, "cuInit", problem) ||
        !check(gpu, call->cuDeviceGetCount(&count), "cuDeviceGetCount", problem))
        return false;
    if (count < 1)
        return problem_say(problem, "the NVIDIA driver finds no GPU on this machine");
    if (!check(gpu, call->cuDeviceGet(&gpu->device, 0), "cuDeviceGet", problem) ||
        !check(gpu, call->cuDevicePrimaryCtxRetain(&gpu->context, gpu->device), "cuDevicePrimaryCtxRetain",
               problem))
        return false;
    gpu->retained = true;
    if (!gpu_attach(gpu, problem) ||
        !check(gpu, call->cuDeviceGetName(facts->name, sizeof facts->name, gpu->device), "cuDeviceGetName",
               problem) ||
        !check(gpu,
               call->cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, gpu->device),
               "cuDeviceGetAttribute", problem) ||
        !check(gpu,
               call->cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, gpu->device),
               "cuDeviceGetAttribute", problem) ||
        !check(gpu, call->cuDeviceGetAttribute(&l2, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, gpu->device),
               "cuDeviceGetAttribute", problem) ||
        !check(gpu,
               call->cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, gpu->device),
               "cuDeviceGetAttribute", problem) ||
        !check(gpu, call->cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, gpu->device),
               "cuDeviceGetAttribute", problem) ||
        !check(gpu, call->cuDeviceTotalMem(&bytes, gpu->device), "cuDeviceTotalMem", problem) ||
        !check(gpu, call->cuDriverGetVersion(&version), "cuDriverGetVersion", problem))
        return false;
    facts->major = (unsigned)major;
    facts->minor = (unsigned)minor;
    facts->cuda = (unsigned)version;
    facts->bytes = bytes;
    facts->l2_bytes = (uint64_t)l2;
    facts->processors = (unsigned)processors;
    facts->core_khz = (unsigned)khz;
    read_release(facts->driver, sizeof facts->driver);
    return true;
}

bool gpu_open(struct gpu **out, struct problem *problem)
{
    struct gpu *gpu = memory_take(1, sizeof *gpu);
    *out = NULL;
    gpu->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!gpu->library)
        (void)problem_say(
            problem,
            "there is no NVIDIA driver on this machine (libcuda.so.1 cannot be opened); confirm and bench "
            "need one, everything else works without");
    else if (library_bind(gpu->library, "libcuda.so.1", symbols, sizeof symbols / sizeof *symbols, &gpu->call,
                          problem) &&
             open_device(gpu, problem)) {
        *out = gpu;
        return true;
    }
    gpu_close(gpu);
    return false;
}

void gpu_close(struct gpu *gpu)
{
    if (!gpu)
        return;
    for (unsigned i = 0; i < 2; i++)
        if (gpu->event[i])
            (void)gpu->call.cuEventDestroy(gpu->event[i]);
    if (gpu->retained)
        (void)gpu->call.cuDevicePrimaryCtxRelease(gpu->device);
    if (gpu->library)
        (void)dlclose(gpu->library);
    free(gpu);
}

bool gpu_attach(struct gpu *gpu, struct problem *problem)
{
    return check(gpu, gpu->call.cuCtxSetCurrent(gpu->context), "cuCtxSetCurrent", problem);
}

bool gpu_available(struct gpu *gpu, uint64_t *bytes, struct problem *problem)
{
    size_t available = 0, total = 0;
    bool ok = check(gpu, gpu->call.cuMemGetInfo(&available, &total), "cuMemGetInfo", problem);
    *bytes = available;
    return ok;
}

const struct gpu_facts *gpu_facts(const struct gpu *gpu)
{
    return &gpu->facts;
}

bool gpu_take(struct gpu *gpu, uint64_t bytes, uint64_t *address, struct problem *problem)
{
    size_t available = 0, total = 0;
    CUdeviceptr pointer = 0;
    *address = 0;
    if (!check(gpu, gpu->call.cuMemGetInfo(&available, &total), "cuMemGetInfo", problem))
        return false;
    if (bytes > available)
        return problem_say(problem,
                           "%" PRIu64
                           " MiB of device memory are needed and %zu MiB of %zu MiB are free: take "
                           "a smaller matrix",
                           bytes >> 20, available >> 20, total >> 20);
    if (!check(gpu, gpu->call.cuMemAlloc(&pointer, bytes ? bytes : 1), "cuMemAlloc", problem))
        return false;
    *address = pointer;
    return true;
}

void gpu_give(struct gpu *gpu, uint64_t address)
{
    if (address)
        (void)gpu->call.cuMemFree(address);
}

bool gpu_set(struct gpu *gpu, uint64_t address, uint8_t value, uint64_t bytes, struct problem *problem)
{
    return check(gpu, gpu->call.cuMemsetD8(address, value, bytes), "cuMemsetD8", problem) &&
           check(gpu, gpu->call.cuCtxSynchronize(), "cuMemsetD8", problem);
}

bool gpu_write(struct gpu *gpu, uint64_t address, const void *from, uint64_t bytes, struct problem *problem)
{
    return check(gpu, gpu->call.cuMemcpyHtoD(address, from, bytes), "cuMemcpyHtoD", problem);
}

bool gpu_read(struct gpu *gpu, void *to, uint64_t address, uint64_t bytes, struct problem *problem)
{
    return check(gpu, gpu->call.cuMemcpyDtoH(to, address, bytes), "cuMemcpyDtoH", problem);
}

bool gpu_load(struct gpu *gpu, const void *image, const char *name, struct gpu_kernel *kernel,
              struct problem *problem)
{
    CUmodule module = NULL;
    CUfunction function = NULL;
    *kernel = (struct gpu_kernel){0};
    if (!check(gpu, gpu->call.cuModuleLoadData(&module, image), "cuModuleLoadData", problem))
        return false;
    kernel->module = module;
    if (!check(gpu, gpu->call.cuModuleGetFunction(&function, module, name), "cuModuleGetFunction", problem)) {
        gpu_unload(gpu, kernel);
        return false;
    }
    kernel->function = function;
    return true;
}

void gpu_unload(struct gpu *gpu, struct gpu_kernel *kernel)
{
    if (kernel->module)
        (void)gpu->call.cuModuleUnload(kernel->module);
    *kernel = (struct gpu_kernel){0};
}

bool gpu_symbol(struct gpu *gpu, const struct gpu_kernel *kernel, const char *name, uint64_t *address,
                struct problem *problem)
{
    CUdeviceptr pointer = 0;
    size_t bytes = 0;
    if (!check(gpu, gpu->call.cuModuleGetGlobal(&pointer, &bytes, kernel->module, name), "cuModuleGetGlobal",
               problem))
        return false;
    *address = pointer;
    return true;
}

bool gpu_enqueue(struct gpu *gpu, const struct gpu_kernel *kernel, const struct launch *launch,
                 void **arguments, struct problem *problem)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    unsigned dynamic = (unsigned)launch->dynamic_shared_bytes;
    if (dynamic &&
        !check(gpu,
               gpu->call.cuFuncSetAttribute(kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                            (int)dynamic),
               "cuFuncSetAttribute", problem))
        return false;
    return check(gpu,
                 gpu->call.cuLaunchKernel(kernel->function, grid[0], grid[1], grid[2], block[0], block[1],
                                          block[2], dynamic, NULL, arguments, NULL),
                 "cuLaunchKernel", problem);
}

bool gpu_wait(struct gpu *gpu, struct problem *problem)
{
    return check(gpu, gpu->call.cuCtxSynchronize(), "cuCtxSynchronize after the launch", problem);
}

bool gpu_launch(struct gpu *gpu, const struct gpu_kernel *kernel, const struct launch *launch,
                void **arguments, struct problem *problem)
{
    return gpu_enqueue(gpu, kernel, launch, arguments, problem) && gpu_wait(gpu, problem);
}

bool gpu_copy(struct gpu *gpu, uint64_t to, uint64_t from, uint64_t bytes, struct problem *problem)
{
    return check(gpu, gpu->call.cuMemcpyDtoDAsync(to, from, bytes, NULL), "cuMemcpyDtoDAsync", problem);
}

bool gpu_timer_start(struct gpu *gpu, struct problem *problem)
{
    for (unsigned i = 0; i < 2; i++)
        if (!gpu->event[i] &&
            !check(gpu, gpu->call.cuEventCreate(&gpu->event[i], CU_EVENT_DEFAULT), "cuEventCreate", problem))
            return false;
    return check(gpu, gpu->call.cuEventRecord(gpu->event[0], NULL), "cuEventRecord", problem);
}

bool gpu_timer_stop(struct gpu *gpu, double *ms, struct problem *problem)
{
    float elapsed = 0;
    if (!check(gpu, gpu->call.cuEventRecord(gpu->event[1], NULL), "cuEventRecord", problem) ||
        !check(gpu, gpu->call.cuEventSynchronize(gpu->event[1]), "cuEventSynchronize", problem) ||
        !check(gpu, gpu->call.cuEventElapsedTime(&elapsed, gpu->event[0], gpu->event[1]),
               "cuEventElapsedTime", problem))
        return false;
    *ms = elapsed;
    return true;
}

/* The management library's own declarations, few and stable; its header is not part of every toolkit. */
struct gpu_clocks gpu_clocks_now(void)
{
    struct gpu_clocks clocks = {0};
    int (*begin)(void), (*end)(void), (*device)(unsigned, void **), (*clock)(void *, int, unsigned *);
    void *handle = NULL, *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    enum { CLOCK_SM = 1, CLOCK_MEMORY = 2 };
    if (!library)
        return clocks;
    *(void **)&begin = dlsym(library, "nvmlInit_v2");
    *(void **)&end = dlsym(library, "nvmlShutdown");
    *(void **)&device = dlsym(library, "nvmlDeviceGetHandleByIndex_v2");
    *(void **)&clock = dlsym(library, "nvmlDeviceGetClockInfo");
    if (begin && end && device && clock && begin() == 0) {
        if (device(0, &handle) == 0) {
            (void)clock(handle, CLOCK_SM, &clocks.core);
            (void)clock(handle, CLOCK_MEMORY, &clocks.memory);
        }
        (void)end();
    }
    (void)dlclose(library);
    return clocks;
}
