// SPDX-License-Identifier: Apache-2.0

#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

int moved(int descriptor)
{
    if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
    int other = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(descriptor);
    return other;
}

int open_log(void)
{
    int log = moved(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (log < 0) return -1;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/dev/log"};
    if (connect(log, (struct sockaddr *)&address, sizeof address) == 0) return log;
    close(log);
    return -1;
}

void report(pam_handle_t *handle, int priority, const char *format, ...)
{
    int reason = errno;
    const void *service = NULL;
    if (pam_get_item(handle, PAM_SERVICE, &service) != PAM_SUCCESS || service == NULL) service = "?";
    char line[1024];
    int start = snprintf(
        line, sizeof line, "<%d>pam_chatelaine(%.64s)[%d]: ", LOG_AUTHPRIV | priority, (const char *)service, getpid());
    va_list values;
    va_start(values, format);
    errno = reason;
    // A line that is too long is cut.
    if (start > 0) vsnprintf(line + start, sizeof line - (size_t)start, format, values);
    va_end(values);
    // A name that the user chose must not begin another line.
    for (char *place = line; *place != '\0'; place++)
        if ((unsigned char)*place < ' ' || *place == 0x7F) *place = '?';
    int log = open_log();
    if (log < 0) return;
    send(log, line, strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL);
    close(log);
}
