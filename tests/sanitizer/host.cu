/* host.cu - the program of tests/sanitizer.sh: zoo NAME [fresh] launches one kernel, zoo lists them. */
#include "host.cuh"

#include <cstdio>
#include <cstdlib>
#include <cstring>

static kernel *&first()
{
    static kernel *list = nullptr;
    return list;
}

kernel::kernel(const char *name, outcome (*run)(bool fresh)) : name(name), run(run), next(first())
{
    first() = this;
}

static void must(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(3);
}

static size_t bytes_of(const sheet &of)
{
    return (size_t)of.rows * of.cols * of.cell_bytes;
}

buffers::buffers(sheet of, bool fresh, bool in_place) : of(of), in(nullptr), out(nullptr), before(malloc(bytes_of(of)))
{
    const size_t bytes = bytes_of(of);
    for (size_t i = 0; i < bytes / sizeof(float); i++)
        ((float *)before)[i] = (float)(i + 1); // exact: there are fewer than 2^24
    must(cudaMalloc(&out, bytes));
    if (!in_place)
        must(cudaMalloc(&in, bytes));
    must(cudaMemcpy(in_place ? out : in, before, bytes, cudaMemcpyHostToDevice));
    if (!in_place && !fresh)
        must(cudaMemset(out, 0xff, bytes));
}

buffers::~buffers()
{
    free(before);
    (void)cudaFree(in);
    (void)cudaFree(out);
}

outcome buffers::finish() const
{
    outcome result = {nullptr, 0};
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    char *after = (char *)malloc(bytes_of(of));
    if (error == cudaSuccess)
        error = cudaMemcpy(after, out, bytes_of(of), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess)
        result.error = cudaGetErrorString(error);
    for (int row = 0; error == cudaSuccess && row < of.rows; row++)
        for (int col = 0; col < of.cols; col++)
            result.wrong += memcmp(after + ((size_t)col * of.rows + row) * of.cell_bytes,
                                   (char *)before + ((size_t)row * of.cols + col) * of.cell_bytes,
                                   (size_t)of.cell_bytes) != 0;
    free(after);
    return result;
}

int main(int count, char **words)
{
    for (const kernel *it = first(); it; it = it->next) {
        if (count < 2) {
            puts(it->name);
        } else if (strcmp(it->name, words[1]) == 0) {
            const outcome result = it->run(count > 2);
            if (result.error)
                printf("%s: %s\n", it->name, result.error);
            else
                printf("%s: %ld cells wrong\n", it->name, result.wrong);
            return result.error || result.wrong;
        }
    }
    if (count > 1)
        fprintf(stderr, "there is no kernel %s; without a name all are listed\n", words[1]);
    return count > 1 ? 2 : 0;
}
