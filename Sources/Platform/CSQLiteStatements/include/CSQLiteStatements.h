// SPDX-License-Identifier: Apache-2.0

#ifndef C_SQLITE_STATEMENTS_H
#define C_SQLITE_STATEMENTS_H

#include <sqlite3.h>

// Disables SQLite's memory counters. Call before any other use of SQLite; otherwise it returns an error code.
int csq_stop_counting_memory(void);

// Makes the file system of file_system.c the default of all connections that are opened from now on. Call from one thread
// only; a second call changes nothing. Returns a result code.
int csq_register_file_system(void);

// Makes a connection treat a double-quoted word as a name only; otherwise a misspelled name would be a text. Returns a
// result code.
int csq_refuse_double_quoted_text(sqlite3 *connection);

#endif
