#include "type.h"

#include <stdio.h>
#include <string.h>

struct type type_integer(int bytes, bool is_signed)
{
    return (struct type){
        .kind = TYPE_INTEGER, .bytes = (uint8_t)bytes, .components = 1, .is_signed = is_signed};
}

struct type type_float(int bytes)
{
    return (struct type){.kind = TYPE_FLOAT, .bytes = (uint8_t)bytes, .components = 1, .is_signed = true};
}

struct type type_bool(void)
{
    return (struct type){.kind = TYPE_BOOL, .bytes = 1, .components = 1};
}

struct type type_void(void)
{
    return (struct type){.kind = TYPE_VOID, .components = 1};
}

struct type type_group(int threads)
{
    return (struct type){.kind = TYPE_GROUP, .bytes = (uint8_t)threads, .components = 1};
}

struct type type_component(struct type vector)
{
    vector.components = 1;
    vector.has_names = false;
    return vector;
}

struct type type_pointer(const struct type *to, enum memory_space space)
{
    return (struct type){.kind = TYPE_POINTER, .components = 1, .to = to, .space = space};
}

struct type type_auto(void)
{
    return (struct type){.kind = TYPE_VOID, .components = 0};
}

bool type_is_auto(const struct type *type)
{
    return type->kind == TYPE_VOID && type->components == 0;
}

struct named_type {
    const char *name;
    enum type_kind kind;
    uint8_t bytes;
    bool is_signed;
};

/* Names that stand alone ... */
static const struct named_type scalars[] = {
    {"bool", TYPE_BOOL, 1, false},          {"float", TYPE_FLOAT, 4, true},
    {"double", TYPE_FLOAT, 8, true},        {"half", TYPE_FLOAT, 2, true},
    {"Half", TYPE_FLOAT, 2, true},          {"BFloat16", TYPE_FLOAT, 2, true},
    {"byte", TYPE_INTEGER, 1, false},       {"__half", TYPE_FLOAT, 2, true},
    {"__nv_bfloat16", TYPE_FLOAT, 2, true}, {"nv_bfloat16", TYPE_FLOAT, 2, true},
    {"size_t", TYPE_INTEGER, 8, false},     {"ptrdiff_t", TYPE_INTEGER, 8, true},
    {"int8_t", TYPE_INTEGER, 1, true},      {"uint8_t", TYPE_INTEGER, 1, false},
    {"int16_t", TYPE_INTEGER, 2, true},     {"uint16_t", TYPE_INTEGER, 2, false},
    {"int32_t", TYPE_INTEGER, 4, true},     {"uint32_t", TYPE_INTEGER, 4, false},
    {"int64_t", TYPE_INTEGER, 8, true},     {"intptr_t", TYPE_INTEGER, 8, true},
    {"uintptr_t", TYPE_INTEGER, 8, false},  {"uint64_t", TYPE_INTEGER, 8, false},
    {"int8", TYPE_INTEGER, 1, true}, /* names of many libraries, where nothing declares them */
    {"uint8", TYPE_INTEGER, 1, false},      {"int16", TYPE_INTEGER, 2, true},
    {"uint16", TYPE_INTEGER, 2, false},     {"int32", TYPE_INTEGER, 4, true},
    {"uint32", TYPE_INTEGER, 4, false},     {"int64", TYPE_INTEGER, 8, true},
    {"uint64", TYPE_INTEGER, 8, false},     {"uint", TYPE_INTEGER, 4, false},
    {"ushort", TYPE_INTEGER, 2, false},     {"uchar", TYPE_INTEGER, 1, false},
    {"clock_t", TYPE_INTEGER, 8, true},     {"cudaTextureObject_t", TYPE_FLOAT, 8, true},
    {"cufftReal", TYPE_FLOAT, 4, true},     {"cudaSurfaceObject_t", TYPE_FLOAT, 8, true},
    {"ulong", TYPE_INTEGER, 8, false},      {"cufftDoubleReal", TYPE_FLOAT, 8, true},
};

/* Vectors under the names that CUDA's libraries give them. */
static const struct {
    const char *name, *vector;
} aliases[] = {{"dim3", "uint3"},          {"cuComplex", "float2"},        {"cuFloatComplex", "float2"},
               {"cufftComplex", "float2"}, {"cuDoubleComplex", "double2"}, {"cufftDoubleComplex", "double2"}};

/* ... and names that a digit 1 to 4 follows. */
static const struct named_type vectors[] = {
    {"char", TYPE_INTEGER, 1, true},     {"uchar", TYPE_INTEGER, 1, false},
    {"short", TYPE_INTEGER, 2, true},    {"ushort", TYPE_INTEGER, 2, false},
    {"int", TYPE_INTEGER, 4, true},      {"uint", TYPE_INTEGER, 4, false},
    {"long", TYPE_INTEGER, 8, true},     {"ulong", TYPE_INTEGER, 8, false},
    {"longlong", TYPE_INTEGER, 8, true}, {"ulonglong", TYPE_INTEGER, 8, false},
    {"float", TYPE_FLOAT, 4, true},      {"double", TYPE_FLOAT, 8, true},
};

static bool find_name(const struct named_type *table, size_t count, const char *name, size_t length,
                      struct type *type)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) {
            *type = (struct type){.kind = table[i].kind,
                                  .bytes = table[i].bytes,
                                  .components = 1,
                                  .is_signed = table[i].is_signed};
            return true;
        }
    return false;
}

/* Two components of 2 bytes, under the names they go by. */
static bool is_half_pair(const char *name, size_t length)
{
    static const char *const names[] = {"half2", "__half2", "__nv_bfloat162", "nv_bfloat162", "bfloat162"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}

bool type_of_name(const char *name, size_t length, struct type *type)
{
    if (find_name(scalars, sizeof scalars / sizeof *scalars, name, length, type))
        return true;
    if (is_half_pair(name, length)) {
        *type = type_float(2);
        type->components = 2;
        type->has_names = true;
        return true;
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strlen(aliases[i].name) == length && memcmp(aliases[i].name, name, length) == 0) {
            name = aliases[i].vector;
            length = strlen(name);
            break;
        }
    if (length < 2 || name[length - 1] < '1' || name[length - 1] > '4' ||
        !find_name(vectors, sizeof vectors / sizeof *vectors, name, length - 1, type))
        return false;
    type->components = (uint8_t)(name[length - 1] - '0');
    type->has_names = true;
    return true;
}

uint64_t type_size(const struct type *type)
{
    switch (type->kind) {
    case TYPE_VOID:
    case TYPE_GROUP:
        return 1;
    case TYPE_POINTER:
        return 8;
    case TYPE_ARRAY:
        return type->count * type_size(type->to);
    case TYPE_STRUCT:
        return type->record->size;
    case TYPE_BOOL:
    case TYPE_INTEGER:
    case TYPE_FLOAT:
        break;
    }
    return (uint64_t)type->bytes * type->components;
}

const struct member *type_member(const struct type *type, const char *name, size_t length)
{
    for (unsigned i = 0; type->kind == TYPE_STRUCT && i < type->record->count; i++)
        if (strlen(type->record->members[i].name) == length &&
            memcmp(type->record->members[i].name, name, length) == 0)
            return &type->record->members[i];
    return NULL;
}

uint64_t type_slots(const struct type *type)
{
    if (type->kind == TYPE_ARRAY)
        return type->count * type_slots(type->to);
    if (type->kind == TYPE_STRUCT)
        return type->record->slots;
    return type->kind == TYPE_VOID ? 0 : type->components;
}

unsigned type_uniform_bytes(const struct type *type)
{
    unsigned bytes = 0;
    switch (type->kind) {
    case TYPE_ARRAY:
        return type_uniform_bytes(type->to);
    case TYPE_STRUCT:
        for (unsigned i = 0; i < type->record->count; i++) {
            unsigned own = type_uniform_bytes(&type->record->members[i].type);
            if (!own || (bytes && own != bytes))
                return 0;
            bytes = own;
        }
        return bytes * type->record->slots == type->record->size ? bytes : 0;
    case TYPE_POINTER:
    case TYPE_GROUP:
    case TYPE_VOID:
        return 0;
    case TYPE_BOOL:
    case TYPE_INTEGER:
    case TYPE_FLOAT:
        break;
    }
    return type->bytes;
}

static const struct type *first_number(const struct type *type)
{
    while (type->kind == TYPE_ARRAY || (type->kind == TYPE_STRUCT && type->record->count))
        type = type->kind == TYPE_ARRAY ? type->to : &type->record->members[0].type;
    return type;
}

static bool is_made_of(const struct type *type, const struct type *number)
{
    if (type->kind == TYPE_ARRAY)
        return is_made_of(type->to, number);
    if (type->kind != TYPE_STRUCT)
        return type->kind == number->kind && type->bytes == number->bytes &&
               type->is_signed == number->is_signed;
    for (unsigned i = 0; i < type->record->count; i++)
        if (!is_made_of(&type->record->members[i].type, number))
            return false;
    return true;
}

const struct type *type_number(const struct type *type)
{
    const struct type *number = first_number(type);
    bool is_number = number->kind == TYPE_INTEGER || number->kind == TYPE_BOOL || number->kind == TYPE_FLOAT;
    return is_number && type_uniform_bytes(type) && is_made_of(type, number) ? number : NULL;
}

uint64_t type_alignment(const struct type *type)
{
    if (type->kind == TYPE_STRUCT)
        return type->record->alignment;
    if (type->kind == TYPE_ARRAY)
        return type_alignment(type->to);
    if (type->kind == TYPE_VOID || type->kind == TYPE_POINTER || type->kind == TYPE_GROUP)
        return type_size(type);
    if (type->components == 1 || type->components == 3)
        return type->bytes;
    uint64_t size = type_size(type);
    return size < 16 ? size : 16;
}

bool type_is_scalar(const struct type *type)
{
    return (type->kind == TYPE_BOOL || type->kind == TYPE_INTEGER || type->kind == TYPE_FLOAT) &&
           !type->has_names;
}

bool type_is_index(const struct type *type)
{
    return (type->kind == TYPE_BOOL || type->kind == TYPE_INTEGER) && !type->has_names;
}

bool type_same(const struct type *a, const struct type *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == TYPE_STRUCT)
        return a->record == b->record;
    if (a->kind == TYPE_POINTER || a->kind == TYPE_ARRAY)
        return a->count == b->count && type_same(a->to, b->to);
    return a->bytes == b->bytes && a->components == b->components && a->is_signed == b->is_signed &&
           a->has_names == b->has_names;
}

int64_t type_wrap(const struct type *type, int64_t value)
{
    if (type->kind == TYPE_BOOL)
        return value != 0;
    if (type->bytes == 8)
        return value;
    unsigned bits = 8u * type->bytes;
    uint64_t low = (uint64_t)value & ((UINT64_C(1) << bits) - 1);
    if (type->is_signed && low >> (bits - 1))
        return (int64_t)(low | ~((UINT64_C(1) << bits) - 1));
    return (int64_t)low;
}

struct type type_promote(struct type type)
{
    if (type.kind == TYPE_BOOL || (type.kind == TYPE_INTEGER && type.bytes < 4))
        return type_integer(4, true);
    type.is_const = false;
    return type;
}

struct type type_common(struct type a, struct type b)
{
    a = type_promote(a);
    b = type_promote(b);
    if (a.kind == TYPE_FLOAT || b.kind == TYPE_FLOAT) {
        if (a.kind != TYPE_FLOAT)
            return b;
        return b.kind != TYPE_FLOAT || a.bytes >= b.bytes ? a : b;
    }
    if (a.bytes != b.bytes)
        return a.bytes > b.bytes ? a : b;
    return a.is_signed ? b : a;
}

static const char *scalar_name(const struct type *type)
{
    switch (type->kind) {
    case TYPE_VOID:
        return "void";
    case TYPE_GROUP:
        return type->bytes == GROUP_BLOCK  ? "thread_block"
               : type->bytes == GROUP_GRID ? "grid_group"
                                           : "tile";
    case TYPE_BOOL:
        return "bool";
    case TYPE_FLOAT:
        return type->bytes == 2 ? "half" : type->bytes == 4 ? "float" : "double";
    case TYPE_STRUCT:
        return *type->record->name ? type->record->name : "struct";
    case TYPE_INTEGER:
    case TYPE_POINTER:
    case TYPE_ARRAY:
        break;
    }
    switch (type->bytes) {
    case 1:
        return type->is_signed ? "char" : "uchar";
    case 2:
        return type->is_signed ? "short" : "ushort";
    case 4:
        return type->is_signed ? "int" : "uint";
    default:
        return type->is_signed ? "long long" : "unsigned long long";
    }
}

void type_print(const struct type *type, char *out, size_t size)
{
    const char *qualifier = type->is_const ? "const " : "";
    if (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY) {
        char element[64];
        type_print(type->to, element, sizeof element);
        if (type->kind == TYPE_POINTER)
            (void)snprintf(out, size, "%s *", element);
        else
            (void)snprintf(out, size, "%s [%llu]", element, (unsigned long long)type->count);
    } else if (type->has_names) {
        (void)snprintf(out, size, "%s%s%d", qualifier, scalar_name(type), type->components);
    } else {
        (void)snprintf(out, size, "%s%s", qualifier, scalar_name(type));
    }
}

bool type_name_counts(const char *name, size_t length)
{
    static const char *const words[] = {"index", "idx", "int", "size", "offset"};
    for (size_t at = 0; at < length; at++)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
            size_t i = 0, n = strlen(words[w]);
            while (i < n && at + i < length && (name[at + i] | 32) == words[w][i])
                i++;
            bool begins = !at || name[at - 1] == '_' || (name[at] >= 'A' && name[at] <= 'Z');
            if (i == n && begins)
                return true;
        }
    return false;
}
