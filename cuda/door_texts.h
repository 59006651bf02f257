/* door_texts.h - the files of cuda/door as text, each with a NUL behind it, embedded when the program is
 * built. */
#ifndef LANESCOPE_CUDA_DOOR_TEXTS_H
#define LANESCOPE_CUDA_DOOR_TEXTS_H

extern const char door_clang_text[];   /* what CUDA's headers would declare, for clang */
extern const char door_numbers_text[]; /* limits and constants, for both */
extern const char door_nvrtc_text[];   /* what NVRTC lacks */
extern const char door_std_text[];     /* a little of std */
extern const char door_texture_text[]; /* textures and surfaces, for clang */
extern const char door_vectors_text[]; /* operators of float4 and its kin, where they are assumed */
extern const char door_loops_text[];   /* CUDA_KERNEL_LOOP and its kin, likewise */
extern const char door_standin_text[]; /* what stand-ins are made of */
extern const char door_groups_text[];  /* cooperative groups, where the toolkit's header is not at hand */

#endif
