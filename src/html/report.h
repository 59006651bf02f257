/* report.h - a kernel's launch as one page: all that its sections are made of, gathered once and then only
 * read.
 */
#ifndef LANESCOPE_HTML_REPORT_H
#define LANESCOPE_HTML_REPORT_H

#include "../../sim/report/audit.h"
#include "../picture/chart.h"
#include "../picture/owner_map.h"
#include "../picture/subject.h"

/* Outputs of more cells are audited by census or not at all: a page does not wait for every block. */
#define REPORT_AUDIT_CELLS (UINT64_C(1) << 24)

struct report {
    const struct options *options;
    struct subject subject;
    struct audit *audit; /* NULL: there is none, and `no_audit` says why */
    const struct audit_result *result;
    struct problem no_audit;
    bool has_owners; /* otherwise `no_owners` says why */
    struct owner_bins owners;
    struct problem no_owners;
    struct pitch_curve *curve; /* NULL: the kernel has no tile whose pitch could be another */
};

void section_head(const struct report *report, FILE *out);
void section_source(const struct report *report, FILE *out);
void section_pictures(const struct report *report, FILE *out);
void section_sites(const struct report *report, FILE *out);
void section_audit(const struct report *report, FILE *out);
void section_assumptions(const struct report *report, FILE *out);

/* The sites of the program in the order of its text, and how many there are; free() the list. */
unsigned sites_by_line(const struct program *program, const struct site ***sites);

/* "25 times its ideal", "as few as can be". */
void say_ratio(char out[40], uint64_t units, uint64_t ideal);

#endif
