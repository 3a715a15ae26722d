// SPDX-License-Identifier: Apache-2.0

#include "CSQLiteStatements.h"

#include <sqlite3.h>

// Called from C, because Swift cannot call variadic functions.
int csq_stop_counting_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
