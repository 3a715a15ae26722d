// SPDX-License-Identifier: Apache-2.0

// Records the operations of a program on the files of one folder, in their order, so that disk.py can compute the
// possible content of a disk that loses its power at any moment. Preloaded into the program:
//
//   DISK_LOG         the log file; each record is a struct record, two paths and the data
//   DISK_LOG_ROOT    the folder, an absolute path without links
//   DISK_READ_ONLY   a file; while it exists, the folder is like a file system that was remounted for reading: EROFS
//   DISK_FAIL        "CALL:NUMBER": the NUMBERth sync, write or read in the folder fails with EIO, and is not carried out
//   DISK_KILL        a file; while it exists, the program is killed instead of the change to the folder whose number
//                    it contains, counted from the file's creation; a sync counts, too
//
// Files are identified by their inodes, because a file may have none or several names. Mapped data (SQLite's -shm) is
// not seen.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { opened = 1, written, cut, synced, renamed, linked, unlinked, made };

struct record {
    uint32_t kind, first_path, second_path, unused;
    uint64_t inode, offset, bytes;
};

enum { descriptors = 4096 };

static int out = -1;
static char log_path[PATH_MAX];
static char root[PATH_MAX];
static size_t root_length;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
// The inode behind each descriptor; 0 for a file outside the folder.
static uint64_t inodes[descriptors];
static char failing[16];
static long until_failure;
static char read_only_mark[PATH_MAX];
static char kill_mark[PATH_MAX];
static long changes;

static void open_log(void) {
    out = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    // Nothing that should have been written down may be missing.
    if (out < 0) abort();
    // Where the program's own descriptors are not.
    int high = (int)syscall(SYS_fcntl, out, F_DUPFD_CLOEXEC, 900);
    if (high >= 0) {
        syscall(SYS_close, out);
        out = high;
    }
}

__attribute__((constructor)) static void begin(void) {
    const char *log = getenv("DISK_LOG"), *folder = getenv("DISK_LOG_ROOT"), *fail = getenv("DISK_FAIL");
    if (folder == NULL) return;
    snprintf(root, sizeof root, "%s/", folder);
    root_length = strlen(root);
    const char *mark = getenv("DISK_READ_ONLY");
    if (mark != NULL) snprintf(read_only_mark, sizeof read_only_mark, "%s", mark);
    const char *mark_of_end = getenv("DISK_KILL");
    if (mark_of_end != NULL) snprintf(kill_mark, sizeof kill_mark, "%s", mark_of_end);
    if (fail != NULL) sscanf(fail, "%15[a-z]:%ld", failing, &until_failure);
    if (log != NULL) {
        snprintf(log_path, sizeof log_path, "%s", log);
        open_log();
    }
}

static int is_inside(const char *path) {
    return root_length > 0 && (strncmp(path, root, root_length) == 0 || strncmp(path, root, root_length - 1) == 0);
}

static void put(uint32_t kind, uint64_t inode, uint64_t offset, const char *first, const char *second, const void *data,
                size_t bytes) {
    if (out < 0) return;
    struct record record = {
        .kind = kind, .first_path = first ? (uint32_t)strlen(first) : 0,
        .second_path = second ? (uint32_t)strlen(second) : 0, .inode = inode, .offset = offset, .bytes = bytes};
    struct iovec parts[] = {
        {&record, sizeof record}, {(void *)first, record.first_path}, {(void *)second, record.second_path},
        {(void *)data, bytes}};
    if (syscall(SYS_writev, out, parts, 4) >= 0) return;
    // A program that closes all that it finds open closes this, too.
    if (errno != EBADF) abort();
    open_log();
    if (syscall(SYS_writev, out, parts, 4) < 0) abort();
}

static uint64_t inode_of(int descriptor) {
    return descriptor >= 0 && descriptor < descriptors ? inodes[descriptor] : 0;
}

static int fails(const char *call) {
    return strcmp(call, failing) == 0 && __atomic_sub_fetch(&until_failure, 1, __ATOMIC_SEQ_CST) == 0;
}

static int is_read_only(void) {
    if (read_only_mark[0] == 0 || syscall(SYS_faccessat, AT_FDCWD, read_only_mark, F_OK) != 0) return 0;
    errno = EROFS;
    return 1;
}

static void may_be_killed(void) {
    if (kill_mark[0] == 0) return;
    int mark = (int)syscall(SYS_openat, AT_FDCWD, kill_mark, O_RDONLY | O_CLOEXEC);
    if (mark < 0) {
        __atomic_store_n(&changes, 0, __ATOMIC_SEQ_CST);
        return;
    }
    char number[24] = "";
    syscall(SYS_read, mark, number, sizeof number - 1);
    syscall(SYS_close, mark);
    if (__atomic_add_fetch(&changes, 1, __ATOMIC_SEQ_CST) >= atol(number)) syscall(SYS_kill, getpid(), SIGKILL);
}

// Asked before each change.
static int is_refused(void) {
    may_be_killed();
    return is_read_only();
}

// The path of a descriptor's file; empty if it cannot be told.
static void path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    path[count < 0 ? 0 : count] = 0;
}

static void full_path(int folder, const char *name, char *path) {
    if (name[0] == '/') {
        snprintf(path, PATH_MAX, "%s", name);
    } else if (folder == AT_FDCWD) {
        path[0] = 0;
    } else {
        char above[PATH_MAX];
        path_of(folder, above);
        if (snprintf(path, PATH_MAX, "%s/%s", above, name) >= PATH_MAX) path[0] = 0;
    }
}

static int open_and_log(int folder, const char *name, int flags, mode_t mode) {
    if (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) {
        char path[PATH_MAX];
        full_path(folder, name, path);
        // Existing files may be opened with O_CREAT for reading.
        int makes = (flags & (O_WRONLY | O_RDWR | O_TRUNC)) || syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
        if (makes && is_inside(path) && is_refused()) return -1;
    }
    pthread_mutex_lock(&turn);
    int descriptor = (int)syscall(SYS_openat, folder, name, flags, mode);
    int error = errno;
    if (descriptor >= 0 && descriptor < descriptors) {
        char path[PATH_MAX];
        path_of(descriptor, path);
        struct stat status;
        inodes[descriptor] = is_inside(path) && fstat(descriptor, &status) == 0 ? status.st_ino : 0;
        if (inodes[descriptor]) {
            put(opened, inodes[descriptor], S_ISDIR(status.st_mode), path, NULL, NULL, 0);
            if (flags & O_TRUNC) put(cut, inodes[descriptor], 0, NULL, NULL, NULL, 0);
        }
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return descriptor;
}

static mode_t mode_in(int flags, va_list list) {
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define OPEN(function)                                                    \
    int function(const char *name, int flags, ...) {                      \
        va_list list;                                                     \
        va_start(list, flags);                                            \
        int result = open_and_log(AT_FDCWD, name, flags, mode_in(flags, list)); \
        va_end(list);                                                     \
        return result;                                                    \
    }
#define OPENAT(function)                                                  \
    int function(int folder, const char *name, int flags, ...) {          \
        va_list list;                                                     \
        va_start(list, flags);                                            \
        int result = open_and_log(folder, name, flags, mode_in(flags, list)); \
        va_end(list);                                                     \
        return result;                                                    \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
int __open_2(const char *name, int flags) { return open_and_log(AT_FDCWD, name, flags, 0); }
int __open64_2(const char *name, int flags) { return open_and_log(AT_FDCWD, name, flags, 0); }

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < descriptors) inodes[descriptor] = 0;
    return (int)syscall(SYS_close, descriptor);
}

static ssize_t write_and_log(int descriptor, const void *data, size_t count, off_t offset) {
    uint64_t inode = inode_of(descriptor);
    if (inode == 0) {
        return offset < 0 ? syscall(SYS_write, descriptor, data, count)
                          : syscall(SYS_pwrite64, descriptor, data, count, offset);
    }
    if (is_refused()) return -1;
    if (fails("write")) {
        errno = EIO;
        return -1;
    }
    pthread_mutex_lock(&turn);
    ssize_t result = offset < 0 ? syscall(SYS_write, descriptor, data, count)
                                : syscall(SYS_pwrite64, descriptor, data, count, offset);
    int error = errno;
    if (result > 0) {
        off_t place = offset < 0 ? syscall(SYS_lseek, descriptor, 0, SEEK_CUR) - result : offset;
        put(written, inode, (uint64_t)place, NULL, NULL, data, (size_t)result);
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return result;
}

static ssize_t read_or_fail(int descriptor, void *data, size_t count, off_t offset) {
    if (inode_of(descriptor) && fails("read")) {
        errno = EIO;
        return -1;
    }
    return offset < 0 ? syscall(SYS_read, descriptor, data, count)
                      : syscall(SYS_pread64, descriptor, data, count, offset);
}

ssize_t read(int descriptor, void *data, size_t count) { return read_or_fail(descriptor, data, count, -1); }
ssize_t pread(int descriptor, void *data, size_t count, off_t offset) {
    return read_or_fail(descriptor, data, count, offset);
}
ssize_t pread64(int descriptor, void *data, size_t count, off64_t offset) {
    return read_or_fail(descriptor, data, count, offset);
}

ssize_t write(int descriptor, const void *data, size_t count) { return write_and_log(descriptor, data, count, -1); }
ssize_t pwrite(int descriptor, const void *data, size_t count, off_t offset) {
    return write_and_log(descriptor, data, count, offset);
}
ssize_t pwrite64(int descriptor, const void *data, size_t count, off64_t offset) {
    return write_and_log(descriptor, data, count, offset);
}

// One part at a time: a write in parts may end after any of them.
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (inode_of(descriptor) == 0) return syscall(SYS_writev, descriptor, parts, count);
    ssize_t sum = 0;
    for (int i = 0; i < count; i++) {
        ssize_t result = write_and_log(descriptor, parts[i].iov_base, parts[i].iov_len, -1);
        if (result < 0) return sum > 0 ? sum : -1;
        sum += result;
        if ((size_t)result < parts[i].iov_len) break;
    }
    return sum;
}

static int cut_and_log(int descriptor, off_t length) {
    if (inode_of(descriptor) && is_refused()) return -1;
    pthread_mutex_lock(&turn);
    int result = (int)syscall(SYS_ftruncate, descriptor, length), error = errno;
    if (result == 0 && inode_of(descriptor)) put(cut, inode_of(descriptor), (uint64_t)length, NULL, NULL, NULL, 0);
    pthread_mutex_unlock(&turn);
    errno = error;
    return result;
}

int ftruncate(int descriptor, off_t length) { return cut_and_log(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return cut_and_log(descriptor, length); }

static int sync_and_log(int descriptor) {
    uint64_t inode = inode_of(descriptor);
    if (inode) may_be_killed();
    if (inode && fails("sync")) {
        errno = EIO;
        return -1;
    }
    // No data is really flushed: the log says which data is on the disk. Data that is written meanwhile is not.
    pthread_mutex_lock(&turn);
    if (inode) put(synced, inode, 0, NULL, NULL, NULL, 0);
    pthread_mutex_unlock(&turn);
    return 0;
}

int fsync(int descriptor) { return sync_and_log(descriptor); }
int fdatasync(int descriptor) { return sync_and_log(descriptor); }

static int rename_and_log(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    char first[PATH_MAX], second[PATH_MAX];
    full_path(from_folder, from, first);
    full_path(to_folder, to, second);
    if ((is_inside(first) || is_inside(second)) && is_refused()) return -1;
    pthread_mutex_lock(&turn);
    int result = (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags), error = errno;
    // With its flags, as RENAME_EXCHANGE leaves both names.
    if (result == 0 && (is_inside(first) || is_inside(second))) put(renamed, 0, flags, first, second, NULL, 0);
    pthread_mutex_unlock(&turn);
    errno = error;
    return result;
}

int rename(const char *from, const char *to) { return rename_and_log(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int a, const char *from, int b, const char *to) { return rename_and_log(a, from, b, to, 0); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    return rename_and_log(a, from, b, to, flags);
}

static int link_and_log(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    char path[PATH_MAX];
    full_path(to_folder, to, path);
    if (is_inside(path) && is_refused()) return -1;
    pthread_mutex_lock(&turn);
    int result = (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags), error = errno;
    struct stat status;
    if (result == 0 && is_inside(path) && fstatat(to_folder, to, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        put(linked, status.st_ino, 0, path, NULL, NULL, 0);
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return result;
}

int link(const char *from, const char *to) { return link_and_log(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int a, const char *from, int b, const char *to, int flags) { return link_and_log(a, from, b, to, flags); }

static int unlink_and_log(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    full_path(folder, name, path);
    if (is_inside(path) && is_refused()) return -1;
    pthread_mutex_lock(&turn);
    int result = (int)syscall(SYS_unlinkat, folder, name, flags), error = errno;
    if (result == 0 && is_inside(path)) put(unlinked, 0, 0, path, NULL, NULL, 0);
    pthread_mutex_unlock(&turn);
    errno = error;
    return result;
}

int unlink(const char *name) { return unlink_and_log(AT_FDCWD, name, 0); }
int unlinkat(int folder, const char *name, int flags) { return unlink_and_log(folder, name, flags); }
int rmdir(const char *name) { return unlink_and_log(AT_FDCWD, name, AT_REMOVEDIR); }

static int make_and_log(int folder, const char *name, mode_t mode) {
    char path[PATH_MAX];
    full_path(folder, name, path);
    if (is_inside(path) && is_refused()) return -1;
    pthread_mutex_lock(&turn);
    int result = (int)syscall(SYS_mkdirat, folder, name, mode), error = errno;
    struct stat status;
    if (result == 0 && is_inside(path) && fstatat(folder, name, &status, 0) == 0) {
        put(made, status.st_ino, 0, path, NULL, NULL, 0);
    }
    pthread_mutex_unlock(&turn);
    errno = error;
    return result;
}

int mkdir(const char *name, mode_t mode) { return make_and_log(AT_FDCWD, name, mode); }
int mkdirat(int folder, const char *name, mode_t mode) { return make_and_log(folder, name, mode); }
