// SPDX-License-Identifier: Apache-2.0

// A file system for SQLite that passes on the writes to a write-ahead log in one piece.
//
// SQLite writes each frame of a log with two system calls, and a commit here has about nine frames. Consecutive writes
// are collected and passed on before any operation could read the log: before the log is synced, read, measured,
// truncated or closed. A commit is in the log's index, where other connections see it, only after the log was synced
// (synchronous = FULL), so no connection misses collected data, and an acknowledged commit is on the disk as before. A
// crash during an unfinished write leaves the same state as unfinished frames. A write error is returned by the sync,
// which fails the commit as well.
//
// SQLite reports a file system that was remounted read-only as a general input/output error; here it is
// SQLITE_READONLY, so that the caller gets the reason. All changes go through the log first.
//
// A super-journal is never opened, so SQLite deletes none. The service has no transaction over two databases; only a
// forged journal names a super-journal.
//
// Everything else is SQLite's own file system, and other files are not affected.

#include "CSQLiteStatements.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>

enum { capacity = 128 * 1024 };

typedef struct {
    sqlite3_file base;
    // Allocated at the first write, because most connections only read.
    unsigned char *pending;
    int count;
    sqlite3_int64 offset;
    // The file of SQLite's own file system follows this struct.
} LogFile;

static sqlite3_vfs *original;
static sqlite3_vfs logged;

static sqlite3_file *inner(sqlite3_file *file) {
    return (sqlite3_file *)((LogFile *)file + 1);
}

// SQLite's file system leaves the error of the failed system call in errno.
static int reason(int code) {
    return (code & 0xff) == SQLITE_IOERR && errno == EROFS ? SQLITE_READONLY : code;
}

static int write_through(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    return reason(inner(file)->pMethods->xWrite(inner(file), bytes, count, offset));
}

static int hand_over(sqlite3_file *file) {
    LogFile *log = (LogFile *)file;
    if (log->count == 0) return SQLITE_OK;
    int count = log->count;
    log->count = 0;
    return write_through(file, log->pending, count, log->offset);
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    LogFile *log = (LogFile *)file;
    if (log->pending == NULL) log->pending = sqlite3_malloc(capacity);
    if (log->count > 0 && (offset != log->offset + log->count || count > capacity - log->count)) {
        int code = hand_over(file);
        if (code != SQLITE_OK) return code;
    }
    if (log->pending == NULL || count > capacity) {
        return write_through(file, bytes, count, offset);
    }
    if (log->count == 0) log->offset = offset;
    memcpy(log->pending + log->count, bytes, (size_t)count);
    log->count += count;
    return SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = hand_over(file);
    return code != SQLITE_OK ? code : inner(file)->pMethods->xRead(inner(file), bytes, count, offset);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = hand_over(file);
    return code != SQLITE_OK ? code : reason(inner(file)->pMethods->xTruncate(inner(file), size));
}

static int log_sync(sqlite3_file *file, int flags) {
    int code = hand_over(file);
    return code != SQLITE_OK ? code : reason(inner(file)->pMethods->xSync(inner(file), flags));
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = hand_over(file);
    return code != SQLITE_OK ? code : inner(file)->pMethods->xFileSize(inner(file), size);
}

static int log_close(sqlite3_file *file) {
    LogFile *log = (LogFile *)file;
    int written = hand_over(file);
    sqlite3_free(log->pending);
    log->pending = NULL;
    int closed = inner(file)->pMethods->xClose(inner(file));
    return written != SQLITE_OK ? written : closed;
}

static int log_lock(sqlite3_file *file, int level) { return inner(file)->pMethods->xLock(inner(file), level); }

static int log_unlock(sqlite3_file *file, int level) { return inner(file)->pMethods->xUnlock(inner(file), level); }

static int log_check_lock(sqlite3_file *file, int *result) {
    return inner(file)->pMethods->xCheckReservedLock(inner(file), result);
}

static int log_control(sqlite3_file *file, int operation, void *argument) {
    return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}

static int log_sector_size(sqlite3_file *file) { return inner(file)->pMethods->xSectorSize(inner(file)); }

static int log_characteristics(sqlite3_file *file) {
    return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

// Version 1: a log is neither mapped nor used for shared memory.
static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_check_lock,
    .xFileControl = log_control,
    .xSectorSize = log_sector_size,
    .xDeviceCharacteristics = log_characteristics,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    // SQLite opens a super-journal only to delete it, by a name from the journal of a database.
    if (flags & SQLITE_OPEN_SUPER_JOURNAL) return SQLITE_CANTOPEN;
    if (!(flags & SQLITE_OPEN_WAL)) return original->xOpen(original, name, file, flags, given);
    LogFile *log = (LogFile *)file;
    memset(log, 0, sizeof *log);
    int code = original->xOpen(original, name, inner(file), flags, given);
    // SQLite closes a file that has methods, even if opening failed.
    if (inner(file)->pMethods != NULL) log->base.pMethods = &log_methods;
    return code;
}

int csq_write_logs_in_one_piece(void) {
    if (original != NULL) return SQLITE_OK;
    sqlite3_vfs *found = sqlite3_vfs_find(NULL);
    if (found == NULL) return SQLITE_ERROR;
    logged = *found;
    logged.zName = "chatelaine";
    logged.pNext = NULL;
    logged.szOsFile = (int)sizeof(LogFile) + found->szOsFile;
    logged.xOpen = open_file;
    original = found;
    return sqlite3_vfs_register(&logged, 1);
}
