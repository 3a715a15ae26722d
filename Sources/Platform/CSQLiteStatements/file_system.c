// SPDX-License-Identifier: Apache-2.0

// SQLite's own file system, except in three cases.
//
// SQLite reports a file system that was remounted read-only as a general input/output error; here it is
// SQLITE_READONLY, so that the caller gets the reason. All changes go to the write-ahead log first, so only the log's
// methods differ.
//
// A super-journal is never opened, so SQLite deletes none. The service has no transaction over two databases; only a
// forged journal names a super-journal.
//
// Opening a file never waits. Another user can put a FIFO in the place of a database that root migrates, and a FIFO has
// no other end.

#include "CSQLiteStatements.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static sqlite3_vfs *original;
static sqlite3_vfs own;

// SQLite's methods of a write-ahead log, and the same with other results. Set when the first log is opened.
static const sqlite3_io_methods *original_methods;
static sqlite3_io_methods log_methods;

// SQLite's file system leaves the error of the failed system call in errno.
static int reason(int code) {
    return (code & 0xff) == SQLITE_IOERR && errno == EROFS ? SQLITE_READONLY : code;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    return reason(original_methods->xWrite(file, bytes, count, offset));
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return reason(original_methods->xTruncate(file, size));
}

static int log_sync(sqlite3_file *file, int flags) { return reason(original_methods->xSync(file, flags)); }

// The system call of SQLite's file system that opens a file, which SQLite lets a program replace.
static int (*system_open)(const char *path, int flags, int mode);

static int open_without_waiting(const char *path, int flags, int mode) {
    int descriptor = system_open(path, flags | O_NONBLOCK, mode);
    struct stat found;
    if (descriptor >= 0 && fstat(descriptor, &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode))) {
        close(descriptor);
        errno = EINVAL;
        return -1;
    }
    return descriptor;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    // SQLite opens a super-journal only to delete it, by a name from the journal of a database.
    if (flags & SQLITE_OPEN_SUPER_JOURNAL) return SQLITE_CANTOPEN;
    int code = original->xOpen(original, name, file, flags, given);
    if (code != SQLITE_OK || !(flags & SQLITE_OPEN_WAL)) return code;
    sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
    sqlite3_mutex_enter(mutex);
    if (original_methods == NULL) {
        original_methods = file->pMethods;
        log_methods = *original_methods;
        log_methods.xWrite = log_write;
        log_methods.xTruncate = log_truncate;
        log_methods.xSync = log_sync;
    }
    // SQLite uses the same methods for all logs.
    if (file->pMethods == original_methods) file->pMethods = &log_methods;
    sqlite3_mutex_leave(mutex);
    return code;
}

int csq_register_file_system(void) {
    if (original != NULL) return SQLITE_OK;
    sqlite3_vfs *found = sqlite3_vfs_find(NULL);
    if (found == NULL || found->iVersion < 3) return SQLITE_ERROR;
    system_open = (int (*)(const char *, int, int))found->xGetSystemCall(found, "open");
    if (system_open == NULL) return SQLITE_ERROR;
    int code = found->xSetSystemCall(found, "open", (sqlite3_syscall_ptr)open_without_waiting);
    if (code != SQLITE_OK) return code;
    own = *found;
    own.zName = "chatelaine";
    own.pNext = NULL;
    own.xOpen = open_file;
    original = found;
    return sqlite3_vfs_register(&own, 1);
}
