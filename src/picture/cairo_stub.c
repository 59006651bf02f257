/* cairo_stub.c - in place of cairo_draw.c where Cairo's headers were not there when the program was built. */
#include "draw.h"

bool draw_cairo(const struct picture *picture, bool is_pdf, FILE *out, struct problem *problem)
{
    (void)picture;
    (void)out;
    return problem_say(problem,
                       "this lanescope was built without Cairo, which draws %s: install libcairo2-dev and "
                       "build it again, or name a .svg, which needs nothing",
                       is_pdf ? ".pdf" : ".png");
}
