// SPDX-License-Identifier: Apache-2.0

#ifndef C_SQLITE_STATEMENTS_H
#define C_SQLITE_STATEMENTS_H

// Keeps SQLite from counting its memory. Before anything else of SQLite is used; its result code otherwise.
int csq_stop_counting_memory(void);

// Makes all connections that are opened from now on write their write-ahead logs in larger pieces (log_writing.c). By one
// thread only; a second call changes nothing. A result code.
int csq_write_logs_in_one_piece(void);

#endif
