// SPDX-License-Identifier: Apache-2.0

#ifndef C_SQLITE_STATEMENTS_H
#define C_SQLITE_STATEMENTS_H

// Keeps SQLite from counting its memory. Before anything else of SQLite is used; its result code otherwise.
int csq_stop_counting_memory(void);

#endif
