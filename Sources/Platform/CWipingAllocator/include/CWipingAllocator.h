// SPDX-License-Identifier: Apache-2.0

// Linking this module into a program replaces the program's malloc family by one that overwrites every block before it is
// free (wiping_allocator.c).

#ifndef CWIPINGALLOCATOR_H
#define CWIPINGALLOCATOR_H

/// 1 where blocks are overwritten; 0 where glibc could not be asked how large they are, and under a sanitizer.
int cwa_is_wiping(void);

#endif
