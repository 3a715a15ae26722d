// SPDX-License-Identifier: Apache-2.0

#include "CSQLiteStatements.h"

#include <sqlite3.h>

// Variadic, which Swift cannot call.
int csq_stop_counting_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
