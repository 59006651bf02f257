/* door_parts.h - what the files of the door share. Inside cuda. */
#ifndef LANESCOPE_CUDA_DOOR_PARTS_H
#define LANESCOPE_CUDA_DOOR_PARTS_H

#include "door.h"
#include "standin.h"

#define PTX_LIMIT ((size_t)256 << 20)

/* What stands in for names that nothing declares; NULL: nothing. */
void door_put_standins(struct sheet *sheet, const struct standins *standins);

/* door_nvrtc.c: as in door.c, of a failure all that was said of it goes into *log, if it is not NULL then. */
bool door_compile_nvrtc(const struct device_part_request *request, const struct standins *standins,
                        struct door_result *result, char **log, struct problem *problem);

#endif
