// SPDX-License-Identifier: Apache-2.0

// Shows a program another time of day, and another time since the start of the machine. Preloaded into the program:
//
//   SET_CLOCK   a file of two numbers of eight bytes: the seconds that are added to the time of day, and those that are added to the
//               time since the start (CLOCK_BOOTTIME). They may be changed while the program runs
//
// The kernel's other clocks, and the times of files, stay as they are.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *added;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SET_CLOCK");
    if (path == NULL) return;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) abort();
    void *memory = mmap(NULL, 2 * sizeof *added, PROT_READ, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) abort();
    close(file);
    added = memory;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, clock, time);
    if (result != 0 || added == NULL) return (int)result;
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += added[0];
    if (clock == CLOCK_BOOTTIME) time->tv_sec += added[1];
    return 0;
}

int gettimeofday(struct timeval *restrict day, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *day = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL) *result = now.tv_sec;
    return now.tv_sec;
}
