// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <security/pam_modules.h>

/// Returns a descriptor above those of the standard streams, which the host may have closed; closes the given one.
int moved(int descriptor);

/// Returns a socket of the system log, where each write is a line; -1 without a log.
int open_log(void);

/// Writes a line of the system log. A line that the log does not take at once is lost: pam_syslog(3) would wait for a log that is
/// full, and so would the login.
__attribute__((format(printf, 3, 4))) void report(pam_handle_t *handle, int priority, const char *format, ...);
