/* host.cuh - a kernel of the zoo launched the way its comment at the top says, and what became of the output.
 *
 * tests/sanitizer.sh writes a file a kernel that includes this and the kernel's text, in a namespace of its
 * own; all of them are one program. Nothing here is used by lanescope itself.
 */
#ifndef LANESCOPE_SANITIZER_HOST_CUH
#define LANESCOPE_SANITIZER_HOST_CUH

enum { ROWS = 100, COLS = 70 }; // as `lanescope audit zoo:NAME` has them

struct outcome {
    const char *error; // of CUDA; null: none
    long wrong;        // cells of the output
};

struct kernel {
    const char *name;
    outcome (*run)(bool fresh);
    kernel *next;
    kernel(const char *name, outcome (*run)(bool fresh)); // into the program's list
};

// What belongs in the output, bytes a cell, and its cells' number.
struct sheet {
    int rows, cols, cell_bytes;
};

// Two buffers on the device, the input filled with different values. The output is poisoned, or left as
// cudaMalloc() gave it, so that initcheck sees cells that nobody wrote. `in_place`: there is one buffer.
struct buffers {
    sheet of;
    void *in, *out, *before;
    buffers(sheet of, bool fresh, bool in_place);
    ~buffers();
    outcome finish() const; // after the launch: waits, and compares with the transposition
};

template <class T>
outcome turn_matrix(void (*kernel)(const T *, T *, int, int), dim3 grid, dim3 block, bool fresh)
{
    buffers b({ROWS, COLS, (int)sizeof(T)}, fresh, false);
    kernel<<<grid, block>>>((const T *)b.in, (T *)b.out, ROWS, COLS);
    return b.finish();
}

template <class T> outcome turn_square(void (*launch)(T *), int n, bool fresh)
{
    buffers b({n, n, (int)sizeof(T)}, fresh, true);
    launch((T *)b.out);
    return b.finish();
}

#endif
