// SPDX-License-Identifier: Apache-2.0

#ifndef C_SQLITE_STATEMENTS_H
#define C_SQLITE_STATEMENTS_H

#include <sqlite3.h>

// Disables SQLite's memory counters. Call before any other use of SQLite; otherwise it returns an error code.
int csq_stop_counting_memory(void);

// Makes all connections that are opened from now on write their write-ahead logs in larger pieces (log_writing.c). Call
// from one thread only; a second call changes nothing. Returns a result code.
int csq_write_logs_in_one_piece(void);

// Makes a connection treat a double-quoted word as a name only; otherwise a misspelled name would be a text. Returns a
// result code.
int csq_refuse_double_quoted_text(sqlite3 *connection);

#endif
