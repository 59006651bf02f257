/* program.h - a kernel as code for 32 lanes at a time.
 *
 * The code is a register machine. A register holds one value for each lane of a warp (exec/state.h says how).
 * Control is structured: IF/ELSE/END and LOOP/TEST/.../LOOP_END push and pop lane masks; jumps only skip code
 * that no lane would run. blockIdx enters through three registers that are the same for all lanes, and
 * nothing else depends on the block: a symbolic blockIdx is another content of those registers.
 *
 * Registers, in this order: parameters, BUILTIN_COUNT built-ins, a pointer to each shared array, variables
 * and temporaries, constants. A vector value takes as many consecutive registers as it has components.
 */
#ifndef LANESCOPE_LANG_PROGRAM_H
#define LANESCOPE_LANG_PROGRAM_H

#include "../../base/problem.h"
#include "tree.h"

enum opcode {
    OP_SET,    /* dst = a, whole warp: a fresh variable or a temporary */
    OP_MOVE,   /* dst = a in the active lanes */
    OP_UNSET,  /* dst has no value yet */
    OP_ADD,    /* integer arithmetic of number_kind `kind` */
    OP_ADD_TO, /* dst = a + b in the active lanes: ADD and MOVE at once */
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_SHL,
    OP_SHR,
    OP_NEG,
    OP_COM, /* ~a */
    OP_MIN,
    OP_MAX,
    OP_LT, /* dst = lanes where a < b; and so on */
    OP_LE,
    OP_EQ,
    OP_NE,
    OP_NOT,         /* dst = lanes where a is false */
    OP_CONVERT,     /* a to number_kind `kind` */
    OP_TO_BOOL,     /* dst = lanes where a is not 0 */
    OP_FROM_BOOL,   /* 0 or 1 */
    OP_KEEP,        /* dst = a converted to or from a floating type, as `kind` says (KEEP_); data keeps
                       its origin; extra = narrowing + 1, or 0 */
    OP_DATA,        /* dst = a value computed from data: no longer any cell's; `kind` 1: the sum of a and b */
    OP_REAL,        /* dst = a floating function `extra` (enum real_function) of a and b; `kind`: the bytes
                       of its type. Exact on reals; of data it is computed data */
    OP_POINTER_ADD, /* dst = a + b * extra (bytes; an index into program.scales) */
    OP_POINTER_DIFFERENCE, /* dst = (a - b) / extra bytes, of two pointers into one buffer */
    OP_SELECT,             /* dst = b in the lanes where a is true, elsewhere what register `extra` holds */
    OP_BITS,               /* dst = a function of a, b and a third register: bits_extra() */
    OP_SHUFFLE,  /* dst = a of other lanes: `kind` is an enum shuffle_kind; b the lane or the distance;
                    extra: the register of clamp and segments, as shfl.sync has it; above it 1 + the register
                    that says whether there was such a lane, or 0 */
    OP_VOTE,     /* dst = what the active lanes say together of a: `kind` is an enum vote_kind */
    OP_PICK,     /* dst = register b + (number a, at most extra): an element of a local array */
    OP_FUNCTION, /* dst = function `extra` of a and of registers b, b + 1, ...; `kind`: a's */
    OP_ATOMIC,   /* dst = the old content at pointer a, always data; extra = site */
    OP_LOAD,     /* dst.. = components at pointer a; extra = site */
    OP_STORE,    /* to pointer a, components b..; extra = site */
    /* control: from here on an instruction decides which lanes run, and where */
    OP_PUT,        /* register dst + (number a, at most extra) = b in the active lanes */
    OP_PASS_DATA,  /* if a is data: on at extra; dst and the b - 1 registers after it are then data too */
    OP_IF,         /* a: lanes that go on; extra = where to go if none do (the ELSE or the END) */
    OP_IF_COMPARE, /* the same, its condition being a, b compared by the opcode that dst holds */
    OP_NARROW,     /* like IF, within the frame of the IF before it: its else side is empty */
    OP_NARROW_COMPARE,
    OP_ELSE, /* extra = the END */
    OP_END,
    OP_LOOP,
    OP_TEST, /* a: lanes that stay; extra = the LOOP_END */
    OP_TEST_COMPARE,
    OP_BREAK,
    OP_CONTINUE,
    OP_STEP,     /* lanes that continued come back; extra = the LOOP_END if none are left */
    OP_END_STEP, /* the END of an if that closes a loop's body, and the STEP after it */
    OP_JUMP,     /* extra = target, backwards: costs budget */
    OP_LOOP_END,
    OP_CALL, /* a function in place: LEAVE takes lanes to its CALL_END */
    OP_LEAVE,
    OP_CALL_END,
    OP_SWITCH, /* no lane goes on; BREAK takes lanes to the SWITCH_END */
    OP_CASE,   /* a: lanes that come in here */
    OP_SWITCH_END,
    /* Control of any shape, for compiled code. Lanes that part wait at their place in the code; those at the
       lowest place run, and lanes that meet at a JOIN run together. */
    OP_GUARD,   /* up to extra, its UNGUARD, only lanes where a is true run; with `kind` 1 false */
    OP_UNGUARD, /* those before the GUARD run again */
    OP_BRANCH, /* lanes where a is true go to extra; with `kind` 1 false. Backwards costs budget, as in a GOTO
                */
    OP_GOTO,   /* all go to extra */
    OP_JOIN,   /* lanes that wait here go along */
    OP_EXIT,   /* the lanes that run are done; those that wait go on */
    OP_RETURN,
    OP_BARRIER,
    OP_BARRIER_VOTE, /* a barrier; dst = what the block's lanes said of a, as enum vote `extra` says */
    OP_SYNCWARP,
    OP_STOP
};

/* OP_FUNCTION's extra. Exact on numbers. Of data the first group and the votes are computed data; shuffles
 * move what they are given. */
enum function_id {
    /* of each lane alone */
    FUNCTION_ABS,
    FUNCTION_POPC,
    FUNCTION_BREV,
    FUNCTION_CLZ,
    FUNCTION_FFS,
    FUNCTION_MUL24,
    FUNCTION_MULHI,
    FUNCTION_BYTE_PERM,       /* x, y, selector */
    FUNCTION_FUNNEL_LEFT,     /* low, high, count; likewise below */
    FUNCTION_FUNNEL_LEFT_CAP, /* a count above 32 is 32 */
    FUNCTION_FUNNEL_RIGHT,
    FUNCTION_FUNNEL_RIGHT_CAP,
    FUNCTION_BITS, /* the same bits as another type: data keeps its origin */
    /* of a warp's active lanes, in segments of `width` lanes (exec/shuffle.c) */
    FUNCTION_SHUFFLE, /* value, lane, width; likewise below */
    FUNCTION_SHUFFLE_UP,
    FUNCTION_SHUFFLE_DOWN,
    FUNCTION_SHUFFLE_XOR,
    FUNCTION_BALLOT, /* predicate, width; likewise below. Bit 0 is the segment's first lane */
    FUNCTION_ANY,
    FUNCTION_ALL,
    FUNCTION_MATCH,      /* value, width: the lanes that have the same */
    FUNCTION_REDUCE_ADD, /* value, width; likewise below */
    FUNCTION_REDUCE_MIN,
    FUNCTION_REDUCE_MAX,
    FUNCTION_REDUCE_AND,
    FUNCTION_REDUCE_OR,
    FUNCTION_REDUCE_XOR,
    FUNCTION_ACTIVE, /* no operands: the active lanes */
    FUNCTION_COUNT
};
enum { FUNCTION_OPERANDS = 3 };

/* `extra` of an OP_BARRIER: all blocks wait for each other. */
enum { BARRIER_OF_GRID = 1 };

/* __syncthreads_count(), _or(), _and() */
enum vote { VOTE_COUNT, VOTE_OR, VOTE_AND };

/* How integer arithmetic wraps. */
enum number_kind {
    NUMBER_I8,
    NUMBER_U8,
    NUMBER_I16,
    NUMBER_U16,
    NUMBER_I32,
    NUMBER_U32,
    NUMBER_I64,
    NUMBER_U64
};

/* What OP_BITS computes, of numbers as bits; `kind` is an enum number_kind, for LOP3 the table, for PRMT the
 * mode. Results are those of PTX. The last four also split and join what is known of data. */
enum bits_function {
    BITS_MUL_HIGH,
    BITS_MUL24_LOW,
    BITS_MUL24_HIGH,
    BITS_EXTRACT, /* b: first bit, c: how many */
    BITS_INSERT,  /* a into b; c: first bit + 256 * how many */
    BITS_PERMUTE,
    BITS_LOGIC3,
    BITS_FUNNEL_LEFT, /* a: low, b: high, c: count mod 32 */
    BITS_FUNNEL_RIGHT,
    BITS_FUNNEL_LEFT_CLAMP, /* count at most 32 */
    BITS_FUNNEL_RIGHT_CLAMP,
    BITS_COUNT,
    BITS_LEADING_ZEROS,
    BITS_REVERSE,
    BITS_FIND,       /* the highest bit that is not the sign; -1: none */
    BITS_FIND_SHIFT, /* how far it must be shifted left to be the highest */
    BITS_IS_ZERO,
    BITS_ABSOLUTE,
    BITS_DISTANCE, /* |a - b| */
    BITS_LOW,      /* the lower half of a; kind: the whole's */
    BITS_HIGH,
    BITS_JOIN, /* a: the lower half, b: the upper; kind: the whole's */
    BITS_FUNCTIONS
};

/* Floating functions. A result that would have to be rounded is computed data: a compiler may fuse or reorder
 * what rounds, so that only exact results are the same whatever it does. */
enum real_function {
    REAL_NONE, /* always data */
    REAL_ADD,
    REAL_SUBTRACT,
    REAL_MULTIPLY,
    REAL_DIVIDE,
    REAL_MINIMUM,
    REAL_MAXIMUM,
    REAL_FMOD,
    REAL_COPYSIGN,
    REAL_NEGATE, /* of one operand; likewise below */
    REAL_ABSOLUTE,
    REAL_FLOOR,
    REAL_CEIL,
    REAL_TRUNCATE,
    REAL_ROUND,   /* halves away from 0 */
    REAL_NEAREST, /* halves to even */
    REAL_SQUARE_ROOT,
    REAL_SAME,   /* as another floating type */
    REAL_IS_NAN, /* bool; likewise below */
    REAL_IS_INFINITE,
    REAL_IS_FINITE,
    REAL_SIGN_BIT,
    REAL_FUSED /* in the tree only: a * b + c with one rounding */
};

/* `kind` of an OP_KEEP: an enum number_kind, or KEEP_REAL and the bytes of a floating type; with
 * KEEP_FROM_U64, a is a number of unsigned 64 bits. */
enum { KEEP_REAL = 0x40, KEEP_FROM_U64 = 0x80 };

enum shuffle_kind { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };
enum vote_kind { VOTE_BALLOT, VOTE_ANY, VOTE_ALL, VOTE_SAME, VOTE_ACTIVE, VOTE_FIRST };

/* `extra` of OP_BITS and what is in it. */
static inline uint32_t bits_extra(enum bits_function function, unsigned third)
{
    return (uint32_t)function << 16 | third;
}

/* `kind` of a comparison of pointers, whose offsets compare like NUMBER_I64: have any two an order? */
enum pointer_kind { POINTER_GLOBAL = 16, POINTER_SHARED };

/* `kind` of a LOAD or a STORE: what its components are. */
enum held_kind {
    HELD_DATA, /* of several types, or in compiled code of a floating one */
    HELD_BOOL,
    HELD_REAL,  /* of floating type */
    HELD_NUMBER /* + enum number_kind */
};

static inline bool held_is_integer(unsigned held)
{
    return held == HELD_BOOL || held >= HELD_NUMBER;
}

struct instruction {
    uint8_t op;   /* enum opcode */
    uint8_t kind; /* enum number_kind, enum pointer_kind or enum held_kind */
    uint16_t dst, a, b;
    uint32_t extra;
    uint32_t place; /* index into program.places */
};

struct place {
    const struct source *source;
    uint32_t begin, end; /* bytes */
};

/* A place in the text that reads or writes memory. `a[i] += 1` is two sites of one span. */
struct site {
    unsigned id; /* its index */
    const struct access_kind *kind;
    unsigned lane_bytes;     /* 1, 2, 4, 8 or 16 */
    unsigned components;     /* 1, 2 or 4 */
    enum atomic_cost atomic; /* of an ACCESS_ATOMIC */
    int buffer;              /* parameter's or shared array's index where it is known from the text, or -1 */
    struct place place;      /* of the lvalue, for example `in[y * cols + x]` */
    int line, column;        /* from 1 */
    bool in_macro;           /* the span is not the lvalue's own text */
    /* Of compiled code: */
    bool is_generic;         /* a shared address makes it an access of the site that follows */
    const char *origin_file; /* what it was compiled from, or NULL */
    int origin_line;         /* from 1 */
};

/* A conversion of data that not every value survives. */
struct narrowing {
    struct type from, to;
    int tile; /* the shared array that it is stored into at once, or -1 */
};

struct shared_array {
    const char *name;
    struct type element; /* innermost */
    struct type type;    /* as declared, with its dimensions */
    uint64_t offset; /* bytes from the block's shared memory; arrays follow each other as declared, each at
                        its alignment, dynamic ones begin at the next multiple of 16 (measured, sm_90) */
    uint64_t bytes;  /* 0 for a dynamic one: the launch says */
    bool dynamic;
};

struct parameter {
    const char *name;
    struct type type;
    bool is_stored, is_loaded; /* a pointer that some site is known to write, to read */
    bool is_changed;           /* the kernel assigns to it */
    unsigned position, part;   /* which of the kernel's list, and which number of it from 1; 0: all of it */
    uint64_t offset, whole_bytes; /* of source: where in that it lies, and how large that is */
    enum parameter_origin origin;
    uint64_t own_bytes; /* of ORIGIN_VARIABLE: its size */
    int pointed_from;   /* of ORIGIN_POINTEE: the parameter in whose buffer the pointers lie */
    bool has_default;
    int64_t default_value; /* of a scalar, from the kernel's own default argument */
};

/* The number (integer, bool or floating) of which a pointer parameter's buffer is an array: one component of
 * a vector, one of a struct that is made of nothing else. NULL for other parameters. */
static inline const struct type *parameter_number(const struct parameter *parameter)
{
    return parameter->type.kind == TYPE_POINTER ? type_number(parameter->type.to) : NULL;
}

/* A part of the program that touches no memory and that nothing leaves on another way than through its end
 * (quiet.h): the smallest one around the branch `branch`. */
struct quiet {
    uint32_t branch, begin, end; /* instructions; the last one brings back the lanes that came in */
    uint32_t frames;             /* of the mask stack that are pushed between its beginning and the branch */
    bool restores;               /* a loop, a switch or a call, whose frame knows which lanes were masked */
};

struct program {
    const char *name;
    const struct source *source;
    uint32_t begin, end; /* the kernel's span in the source */
    struct instruction *code;
    size_t code_count;
    struct place *places;
    size_t place_count;
    uint64_t *scales;
    size_t scale_count;
    struct narrowing *narrowings;
    size_t narrowing_count;
    struct quiet *quiets; /* by branch; none in compiled code */
    size_t quiet_count;
    struct constant {
        int64_t value;
        bool is_data; /* a literal of floating type */
        bool is_real; /* whose value is known: `real` */
        double real;
    } * constants;
    unsigned constant_count;
    struct parameter *parameters;
    unsigned parameter_count;
    struct shared_array *shared;
    unsigned shared_count;
    uint64_t static_shared_bytes;
    bool has_dynamic_shared;
    struct site *sites;
    unsigned site_count;
    unsigned register_count;
    unsigned first_parameter, first_builtin, first_constant; /* registers */
    unsigned mask_depth;                                     /* deepest nesting of IF and LOOP */
    bool is_compiled; /* machine-like code: arithmetic wraps silently and takes pointers for numbers, which
                         say themselves what they point into: POINTER_IS_SHARED */
    struct place
        uncounted;    /* the first read or write of a texture or a surface; source NULL: there is none */
    unsigned granule; /* bytes: the narrowest component that any site moves; the unit of shared contents */
};

/* In a compiled program the buffer of a pointer into shared memory is its array and this bit. */
#define POINTER_IS_SHARED 0x8000u

/* Where extern __shared__ arrays begin, in bytes from the block's shared memory. */
static inline uint64_t program_dynamic_offset(const struct program *program)
{
    return (program->static_shared_bytes + 15) / 16 * 16;
}

/* Shared memory of a block that is launched with so many dynamic bytes. */
static inline uint64_t program_shared_bytes(const struct program *program, uint64_t dynamic_bytes)
{
    return dynamic_bytes +
           (program->has_dynamic_shared ? program_dynamic_offset(program) : program->static_shared_bytes);
}

#endif
