#include "operand.h"

#include <stdio.h>
#include <string.h>

#include "../sim/lang/token.h"
#include "../sim/report/rung.h"

bool operand_open(struct text *text, const char *operand, struct problem *problem)
{
    const struct rung *rung = kernel_find(operand);
    if (rung) {
        *text = (struct text){.source = rung->source};
        return true;
    }
    if (!strchr(operand, '.') && !strchr(operand, '/')) {
        char names[200] = "";
        for (size_t i = 0; i < rung_count; i++) {
            size_t used = strlen(names);
            (void)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", rungs[i].name);
        }
        return problem_say(
            problem,
            "there is no rung %s; the rungs are %s, or name a kernel of the zoo or a .cu or .ptx file",
            operand, names);
    }
    return text_read_file(text, operand, SOURCE_SIZE_LIMIT, problem);
}
