/* option_table.c - the options: one row each. */
#include "option_row.h"

#define PLACE(field) .place = offsetof(struct options, field), .width = sizeof(((struct options *)0)->field)

#define NUMBER(field, from, to) .read = read_number, PLACE(field), .least = (from), .most = (to)
#define POWER(field)            .read = read_power, PLACE(field)
#define SHAPE(field, from)      .read = read_shape, PLACE(field), .least = (from)
#define RANGE(field)            .read = read_range, PLACE(field)
#define STRING(field)           .read = read_string, PLACE(field)
#define INPUT_PATH(field)       .read = read_input_path, PLACE(field)
#define OUTPUT_PATH(field)      .read = read_output_path, PLACE(field)
#define STRINGS(field, number)  .read = read_strings, PLACE(field), .count = offsetof(struct options, number)
#define FLAG(field)             .read = read_flag, PLACE(field)

/* What each word of the argument stands for, in their order. */
#define CHOICE(field, ...)                                                                                   \
    .read = read_choice, PLACE(field), .values = (const int[]){__VA_ARGS__},                                 \
    .most = sizeof((const int[]){__VA_ARGS__}) / sizeof(int)

#define POWER_OF_2(exponent) (UINT64_C(1) << (exponent))

const struct option_row option_rows[] = {
    {"rows", 'm', "N", "rows of the input matrix (default: as the file's launch has it, else 100)",
     NUMBER(scenario.rows, 1, INT32_MAX)},
    {"cols", 'n', "N", "columns of the input matrix (default: as the file's launch has it, else 70)",
     NUMBER(scenario.cols, 1, INT32_MAX)},
    {"tile", 't', "N", "TILE, the tile's edge in elements (ladder: 32)", NUMBER(scenario.tile, 1, 1024)},
    {"block-rows", 'b', "N", "BLOCK_ROWS, rows of threads in a block (ladder: 8, at most TILE)",
     NUMBER(scenario.block_rows, 1, 1024)},
    {"pitch", 'p', "N[,N]", "PITCH, elements from one tile row to the next (banks takes several)",
     .read = read_pitches, .least = 1, .most = 1 << 24},
    {"elem", 'e', "BYTES", "bytes of an element: 1, 2, 4, 8 or 16 (default 4)", POWER(scenario.elem_bytes)},
    {"in-offset", 0, "N", "elements that the input begins past a 256-byte boundary",
     NUMBER(scenario.in_offset, 0, POWER_OF_2(40))},
    {"out-offset", 0, "N", "elements that the output begins past a 256-byte boundary",
     NUMBER(scenario.out_offset, 0, POWER_OF_2(40))},
    {"device", 0, "SM", "architecture, sm_70 to sm_121", .read = read_device, .initial = DEVICE_DEFAULT},
    {"define", 'D', "NAME=VALUE", "define a macro; wins over the file's own #define",
     STRINGS(scenario.definitions, scenario.definition_count)},
    {"include", 'I', "FOLDER", "look there for #include \"file\" too",
     STRINGS(include_folders, include_folder_count)},
    {"via", 0, "builtin|nvrtc|clang|nvcc",
     "what reads a .cu file (default: the built-in language; where it refuses, a compiler)",
     CHOICE(via, VIA_BUILTIN, VIA_NVRTC, VIA_CLANG, VIA_NVCC)},
    {"kernel", 0, "NAME", "which __global__ function of the file; one of several of a name: NAME:LINE",
     STRING(scenario.kernel)},
    {"template", 0, "ARGUMENTS", "what a template kernel stands for, for example '32, float'",
     STRING(scenario.template_arguments)},
    {"offset", 0, "NAME=N", "elements that the host adds to a pointer: kernel<<<...>>>(in + N, ...)",
     STRINGS(scenario.offsets, scenario.offset_count)},
    {"block", 0, "XxYxZ", "threads of a block, instead of the file's `// block:` line or its launch",
     SHAPE(scenario.block, 1)},
    {"grid", 0, "XxYxZ", "blocks of the grid, instead of the file's `// grid:` line or its launch",
     SHAPE(scenario.grid, 1)},
    {"arg", 0, "NAME=FORMULA", "a scalar parameter's value; rows and cols may be used",
     STRINGS(scenario.arguments, scenario.argument_count)},
    {"data", 0, "NAME=CONTENTS",
     "what an integer buffer holds: a formula of i, row, col, random:LO..HI, 4,8,15 or @FILE.csv",
     STRINGS(scenario.data, scenario.data_count)},
    {"shared", 0, "BYTES", "bytes of extern __shared__ memory",
     NUMBER(scenario.dynamic_shared, 0, POWER_OF_2(31))},
    {"registers", 0, "N", "registers a thread, for occupancy (default: taken not to limit)",
     NUMBER(registers, 1, 255)},
    {"budget", 0, "N", "interpreter steps a warp may take in a block before it is called endless",
     NUMBER(scenario.budget, 0, POWER_OF_2(50))},
    {"time-limit", 0, "SECONDS",
     "time a warp may take between barriers before it is called endless; 0 for any",
     NUMBER(patience.seconds, 0, 1000000), .initial = "10"},
    {"in", 0, "NAME", "the parameter that is the input (default: the first that is only read)",
     STRING(scenario.in)},
    {"out", 0, "NAME", "the parameter that is the output (default: the first that is written)",
     STRING(scenario.out)},
    {"task", 0, "TASK",
     "what is right: transpose, copy, batch:N (of N matrices) or map:FORMULA of i, row, col",
     .read = read_task},
    {"perm", 0, "0,2,1",
     "the task is a permutation of the axes of --shape: the output's axes, as the input's", .read = read_axes,
     PLACE(scenario.axes), .least = 0, .most = 4},
    {"shape", 0, "8,64,48", "extents of the input of --perm, the slowest axis first", .read = read_axes,
     PLACE(scenario.extents), .least = 1, .most = INT32_MAX},
    {"strict", 0, NULL, "lanes of a warp that exchange without __syncwarp() are a fault, no note",
     FLAG(audit.strict)},
    {"alias", 0, "OUT=IN", "these two pointers are one buffer: the launch works in place",
     STRING(audit.alias)},
    {"assert", 0, "CONDITION",
     "decides the exit code, for example 'excess == 0 && store_efficiency >= 90 && correct'",
     STRING(assertion)},
    {"code", 0, NULL, "only a kernel that follows the cycles, as CUDA", FLAG(code)},
    {"lanes", 'l', NULL, "lane by lane", FLAG(lanes)},
    {"metrics", 0, NULL, "name the hardware counter behind each column", FLAG(metrics)},
    {"at-block", 0, "X,Y,Z", "only this block (default 0,0,0)", SHAPE(at_block, 0)},
    {"at-warp", 0, "N[-N]", "only these warps of the block", RANGE(at_warp)},
    {"at-site", 0, "N[-N]", "only these access sites", RANGE(at_site)},
    {"at-step", 0, "N[-N]", "only these steps of the block", RANGE(at_step)},
    {"limit", 0, "N", "accesses to show, 0 for all", NUMBER(limit, 0, POWER_OF_2(50)), .initial = "10000"},
    {"space", 0, "shared|global", "memory that is accessed", CHOICE(space, SPACE_SHARED, SPACE_GLOBAL),
     .initial = "shared"},
    {"op", 0, "load|store", "direction", CHOICE(op, ACCESS_LOAD, ACCESS_STORE), .initial = "load"},
    {"lane-bytes", 0, "N", "bytes that a lane moves: 1, 2, 4, 8 or 16", POWER(lane_bytes), .initial = "4"},
    {"index-bytes", 0, "N", "bytes of one step of the index (default: the lane bytes)",
     NUMBER(index_bytes, 1, POWER_OF_2(32))},
    {"base", 0, "BYTES", "added to every address", .read = read_signed, PLACE(base), .most = POWER_OF_2(46)},
    {"block-idx", 0, "XxYxZ", "blockIdx (default 0x0x0)", SHAPE(block_idx, 0)},
    {"active", 0, "CONDITION", "lanes that take part, for example 'lane < 16'", STRING(active)},
    {"modulus", 'm', "N", "the modulus m, 1 to 128", NUMBER(modulus, 1, 128), .initial = "16"},
    {"stride", 'a', "N", "the step a, 0 to 1024", NUMBER(stride, 0, 1024), .initial = "1"},
    {"format", 'f', "text|csv|json", "how to print", CHOICE(format, FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON),
     .initial = "text"},
    {"output", 'o', "FILE", "write there instead of to the standard output", OUTPUT_PATH(output)},
    {"color", 0, "auto|always|never", "colours in text (default auto; NO_COLOR is honoured)",
     .read = read_color},
    {"help", 'h', NULL, "this help", FLAG(help)},
    {"configs", 0, "FILE.csv", "the configurations to confirm, one a row, as compare reads them",
     INPUT_PATH(confirm.configs)},
    {"random", 0, "N", "this many random configurations instead of the built-in ones",
     NUMBER(confirm.random, 0, 1000000)},
    {"seed", 0, "N", "what random configurations, blocks, patterns and data begin with",
     NUMBER(scenario.seed, 0, UINT64_MAX), .initial = "1"},
    {"counters", 0, NULL, "also hardware counters, through Nsight Compute", FLAG(confirm.counters)},
    {"record", 0, "FILE.csv", "write the counters as a table for lanescope compare",
     OUTPUT_PATH(confirm.record)},
    {"record-accesses", 0, "FILE.csv",
     "measure single accesses instead, and write them as a table for lanescope compare",
     OUTPUT_PATH(confirm.record_accesses)},
    {"patterns", 0, "FILE.csv", "the accesses to measure (default: --random of them)",
     INPUT_PATH(confirm.patterns)},
    {"launch-only", 0, NULL, "launch each once and check nothing: for a profiler", FLAG(confirm.launch_only)},
};

const size_t option_count = sizeof option_rows / sizeof *option_rows;
