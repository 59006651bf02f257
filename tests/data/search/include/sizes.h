#pragma once
typedef double elem;
#define AT(row, col, width) ((row) * (width) + (col))
