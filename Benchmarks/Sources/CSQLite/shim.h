// SPDX-License-Identifier: Apache-2.0

#include <sqlite3.h>

// Functions for the cores of the calling thread, as bits in `count` words. glibc provides them only for GNU C.
#include <sys/syscall.h>
#include <unistd.h>

static inline void benchmark_get_cores(unsigned long *cores, long count) {
    syscall(SYS_sched_getaffinity, 0, count * sizeof *cores, cores);
}

static inline void benchmark_set_cores(const unsigned long *cores, long count) {
    syscall(SYS_sched_setaffinity, 0, count * sizeof *cores, cores);
}
