/* intrinsic_texture.c - reads and writes through textures and surfaces.
 *
 * They have a path and counters of their own: what they read is data, and nothing of them is counted. The
 * program says where the first one stands (program.uncounted).
 */
#include <string.h>

#include "intrinsic.h"

static const char *const names[] = {"tex1Dfetch",
                                    "tex1D",
                                    "tex2D",
                                    "tex3D",
                                    "tex1DLayered",
                                    "tex2DLayered",
                                    "texCubemap",
                                    "tex2Dgather",
                                    "tex1DLod",
                                    "tex2DLod",
                                    "tex3DLod",
                                    "tex1DGrad",
                                    "tex2DGrad",
                                    "tex3DGrad",
                                    "tex1DLayeredLod",
                                    "tex2DLayeredLod",
                                    "texCubemapLod",
                                    "texCubemapLayered",
                                    "surf1Dread",
                                    "surf2Dread",
                                    "surf3Dread",
                                    "surf1DLayeredread",
                                    "surf2DLayeredread",
                                    "surfCubemapread",
                                    "surf1Dwrite",
                                    "surf2Dwrite",
                                    "surf3Dwrite",
                                    "surf1DLayeredwrite",
                                    "surf2DLayeredwrite",
                                    "surfCubemapwrite"};

bool intrinsic_is_texture(const struct token *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (token_is(name, names[i]))
            return true;
    return false;
}

/* tex2D(&value, object, x, y): what is read goes there. */
static struct expr *read_into(struct parser *parser, const struct token *name, struct intrinsic_call *call)
{
    struct expr *target = build_memory(parser, call->at[0], name, parser->last);
    if (!target)
        return NULL;
    call->at[0] = call->at[call->count - 1];
    call->count--;
    struct token assign = *name;
    assign.kind = TOKEN_PUNCT;
    assign.punct = '=';
    return build_assign(parser, &assign, target, intrinsic_computed(parser, call, target->type));
}

struct expr *intrinsic_texture(struct parser *parser, const struct token *name)
{
    struct type type = type_void();
    struct intrinsic_call call;
    bool is_write = name->length > 5 && memcmp(name->text + name->length - 5, "write", 5) == 0;
    if (!intrinsic_is_texture(name))
        return NULL;
    bool given = parse_accept(parser, '<');
    if (given && (!parse_type(parser, &type) || !parse_expect(parser, '>', "after the type")))
        return NULL;
    if (!intrinsic_arguments(parser, name, 2, INTRINSIC_ARGUMENTS, &call))
        return NULL;
    if (!parser->kernel->uncounted)
        parser->kernel->uncounted = name;
    if (is_write)
        return intrinsic_computed(parser, &call, type_void());
    if (call.at[0]->type.kind == TYPE_POINTER)
        return read_into(parser, name, &call);
    if (!given && call.at[0]->type.space != SPACE_CONSTANT) {
        parse_fail(parser, name,
                   "what this texture holds is not known here: write its type, %.*s<float>(...)",
                   (int)name->length, name->text);
        return NULL;
    }
    type = given ? type : call.at[0]->type; /* a texture<float> of the file is its elements */
    type.is_const = false;
    type.space = SPACE_GLOBAL;
    return intrinsic_computed(parser, &call, type);
}
