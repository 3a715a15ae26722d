// SPDX-License-Identifier: Apache-2.0

// Linking this module into a program replaces the program's malloc family with functions that overwrite every block
// before it is free (wiping_allocator.c).

#ifndef CWIPINGALLOCATOR_H
#define CWIPINGALLOCATOR_H

/// Returns 1 if blocks are overwritten; 0 if glibc does not report their sizes, and under a sanitizer.
int cwa_is_wiping(void);

#endif
