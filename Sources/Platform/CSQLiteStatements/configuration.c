// SPDX-License-Identifier: Apache-2.0

#include "CSQLiteStatements.h"

// Called from C, because Swift cannot call variadic functions.
int csq_stop_counting_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int csq_refuse_double_quoted_text(sqlite3 *connection) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}
