// SPDX-License-Identifier: Apache-2.0

// Has a program wait before each call that it makes with a path of a folder, so that a test changes what is there between any two of
// its calls (race.py). Preloaded into the program:
//
//   RACE_ROOT    the path of the folder, as the program writes it; paths that begin with it count
//   RACE_LOG     a file, to which the name of the call and the path are written; then the program stops itself (SIGSTOP)
//   RACE_GROW    a file that grows by 64 KiB before each read of it, up to 256 MiB

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Writes to the end of a file, as root: the program may act as a user who could not open it. The calls go past what glibc does for all
// threads.
static void append(const char *path, const char *bytes, size_t count) {
    uid_t user = (uid_t)syscall(SYS_geteuid);
    syscall(SYS_setresuid, -1, 0, -1);
    int out = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
    syscall(SYS_setresuid, -1, user, -1);
    if (out < 0 || syscall(SYS_write, out, bytes, count) != (long)count) abort();
    syscall(SYS_close, out);
}

static void meet(const char *call, const char *path) {
    const char *root = getenv("RACE_ROOT"), *log = getenv("RACE_LOG");
    if (!root || !log || !path || strncmp(path, root, strlen(root)) != 0) return;
    char line[8192];
    int length = snprintf(line, sizeof line, "%s %s\n", call, path);
    append(log, line, (size_t)length);
    raise(SIGSTOP);
}

#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                     \
    int name(const char *path, int flags, ...) {                       \
        va_list rest;                                                  \
        va_start(rest, flags);                                         \
        mode_t mode = va_arg(rest, mode_t);                            \
        va_end(rest);                                                  \
        meet("open", path);                                            \
        return ((int (*)(const char *, int, mode_t))dlsym(RTLD_NEXT, #name))(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                   \
    int name(int folder, const char *path, int flags, ...) {           \
        va_list rest;                                                  \
        va_start(rest, flags);                                         \
        mode_t mode = va_arg(rest, mode_t);                            \
        va_end(rest);                                                  \
        meet("open", path);                                            \
        return ((int (*)(int, const char *, int, mode_t))dlsym(RTLD_NEXT, #name))(folder, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

#define LOOK(name, facts)                                              \
    int name(const char *path, struct facts *result) {                 \
        meet("stat", path);                                            \
        return NEXT(name)(path, result);                               \
    }
LOOK(stat, stat)
LOOK(stat64, stat64)
LOOK(lstat, stat)
LOOK(lstat64, stat64)

int mkdir(const char *path, mode_t mode) {
    meet("mkdir", path);
    return NEXT(mkdir)(path, mode);
}

int rmdir(const char *path) {
    meet("rmdir", path);
    return NEXT(rmdir)(path);
}

int unlink(const char *path) {
    meet("unlink", path);
    return NEXT(unlink)(path);
}

int chmod(const char *path, mode_t mode) {
    meet("chmod", path);
    return NEXT(chmod)(path, mode);
}

int rename(const char *path, const char *new) {
    meet("rename", path);
    return NEXT(rename)(path, new);
}

int renameat2(int folder, const char *path, int new_folder, const char *new, unsigned flags) {
    meet("rename", path);
    return NEXT(renameat2)(folder, path, new_folder, new, flags);
}

DIR *opendir(const char *path) {
    meet("opendir", path);
    return NEXT(opendir)(path);
}

ssize_t read(int file, void *bytes, size_t count) {
    static size_t grown;
    char path[64], name[4096];
    const char *growing = getenv("RACE_GROW");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ssize_t length = growing && grown < 256 << 20 ? readlink(path, name, sizeof name) : 0;
    if (length > 0 && (size_t)length == strlen(growing) && memcmp(name, growing, (size_t)length) == 0) {
        static const char more[64 << 10];
        append(growing, more, sizeof more);
        grown += sizeof more;
    }
    return syscall(SYS_read, file, bytes, count);
}
