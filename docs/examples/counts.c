/* counts.c - what a kernel asks of memory, access by access, and whether it is right.
 *
 *     cc counts.c -o counts $(pkg-config --cflags --libs lanescope)
 */
#include <inttypes.h>
#include <lanescope.h>
#include <stdio.h>

static const char kernel[] = "__global__ void flip(const float *in, float *out, int rows, int cols)\n"
                             "{\n"
                             "    __shared__ float tile[32][PITCH];\n"
                             "    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"
                             "    if (x < cols && y < rows)\n"
                             "        tile[threadIdx.y][threadIdx.x] = in[y * cols + x];\n"
                             "    __syncthreads();\n"
                             "    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;\n"
                             "    if (x < rows && y < cols)\n"
                             "        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];\n"
                             "}\n";

static int show(const char *pitch)
{
    const char *const definitions[] = {pitch, NULL};
    const struct lanescope_question question = {.name = "flip.cu",
                                                .text = kernel,
                                                .rows = 1000,
                                                .cols = 700,
                                                .block = {32, 32},
                                                .grid = {22, 32},
                                                .definitions = definitions};
    struct lanescope_error error;
    struct lanescope_counts *counts = lanescope_count(&question, &error);
    struct lanescope_audit *audit = counts ? lanescope_audit(&question, &error) : NULL;
    if (audit) {
        printf("%s: %s\n", pitch, audit->faultless ? "correct" : "not correct");
        for (size_t i = 0; i < counts->row_count; i++) {
            const struct lanescope_row *row = &counts->rows[i];
            printf("%2d: %-12s %7" PRIu64 " %s, ideal %" PRIu64 "\n", row->line, row->kind, row->actual,
                   row->unit, row->ideal);
        }
    } else {
        fputs(error.complaint, stderr);
    }
    lanescope_counts_free(counts);
    lanescope_audit_free(audit);
    return audit ? 0 : 1;
}

int main(void)
{
    return show("PITCH=32") || show("PITCH=33") || !show("PITCH=x + 1");
}
