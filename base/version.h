/* version.h - what this lanescope calls itself: the one place where its version stands.
 *
 * The Makefile reads it from here; CHANGELOG.md says what each version brought.
 */
#ifndef LANESCOPE_VERSION_H
#define LANESCOPE_VERSION_H

#define LANESCOPE_VERSION "0.1.0"
#define LANESCOPE_DATE    "November 30, 2026" /* of that version, as manual pages write it */

#endif
