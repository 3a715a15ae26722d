// SPDX-License-Identifier: Apache-2.0

#include "start.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    /// The longest wait for the process that creates the process of the program.
    wait_milliseconds = 1000,
    /// After which the kernel ends the started process, if it waits for a log that is full. The program sets its own time.
    start_seconds = 60,
};

/// Creates a process whose end sends no signal, so that the host does not notice it. No handler of pthread_atfork is called.
static pid_t create_process(void)
{
    // The order of the arguments differs between architectures, but all are zero.
    return (pid_t)syscall(SYS_clone, 0UL, 0UL, 0UL, 0UL, 0UL);
}

/// Changes the user of this process. The functions of the C library of these names would address threads of the host, which this
/// process does not have.
static bool become_user(const struct start *start)
{
#ifdef SYS_setresuid32
    return syscall(SYS_setgroups32, start->group_count, start->groups) == 0
        && syscall(SYS_setresgid32, start->group, start->group, start->group) == 0
        && syscall(SYS_setresuid32, start->user, start->user, start->user) == 0;
#else
    return syscall(SYS_setgroups, start->group_count, start->groups) == 0
        && syscall(SYS_setresgid, start->group, start->group, start->group) == 0
        && syscall(SYS_setresuid, start->user, start->user, start->user) == 0;
#endif
}

/// Switches core files off, for the case that the program crashes.
static bool disable_core_files(void)
{
    // With a limit of one byte the kernel neither writes a core file nor starts the program that core_pattern names. With the limit 0 it
    // starts that program, but passwd(1) has set the limit 0, and only some processes of root may raise it.
    struct rlimit one = {1, 1}, none = {0, 0};
    return setrlimit(RLIMIT_CORE, &one) == 0 || setrlimit(RLIMIT_CORE, &none) == 0;
}

/// Reports the failure of the last system call in the system log, and ends the process.
static _Noreturn void fail(const char *what)
{
    char line[256];
    const char *reason = strerrordesc_np(errno);
    const char *parts[] = {"chatelaine-login: ", what, ": ", reason ? reason : "unknown error", "\n"};
    size_t size = 0;
    for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) {
        size_t length = strnlen(parts[index], sizeof line - size);
        memcpy(line + size, parts[index], length);
        size += length;
    }
    // Nothing can be done about a log that takes no line.
    if (write(STDERR_FILENO, line, size) < 0) _exit(127);
    _exit(127);
}

/// Executes the program as the user. All signals are blocked until here.
static _Noreturn void execute(const struct start *start)
{
    // No signal of the host's terminal arrives from here on.
    setsid();
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
    sigset_t signals;
    sigemptyset(&signals);
    sigprocmask(SIG_SETMASK, &signals, NULL);
    alarm(start_seconds);
    if (dup2(start->errors, STDERR_FILENO) < 0 || dup2(start->input, STDIN_FILENO) < 0
        || dup2(start->output, STDOUT_FILENO) < 0)
        _exit(127);
    // The descriptors of the host are not for the user's process.
    if (syscall(SYS_close_range, 3U, ~0U, 0U) != 0) fail("the descriptors cannot be closed");
    umask(077);
    if (!disable_core_files()) fail("core files cannot be switched off");
    if (chdir("/") != 0) fail("the root folder cannot be opened");
    if (start->changes_user && !become_user(start)) fail("the rights of the user cannot be taken");
    execve(start->path, start->arguments, start->environment);
    fail("the program cannot be executed");
}

/// Waits for the end of a process that only creates another one.
///
/// Returns whether it ended with status 0 within the bound.
static bool await(pid_t process)
{
    int status = 0;
    int handle = (int)syscall(SYS_pidfd_open, process, 0U);
    bool ended = true;
    if (handle >= 0) {
        // All signals are blocked, so none interrupts the wait.
        struct pollfd event = {.fd = handle, .events = POLLIN};
        ended = poll(&event, 1, wait_milliseconds) == 1;
        close(handle);
    }
    if (!ended) kill(process, SIGKILL);
    // Without a handle, because the host has a filter of system calls, the process ends by itself all the same. __WALL, because its
    // end sends no signal.
    if (waitpid(process, &status, ended ? __WALL : __WALL | WNOHANG) != process) return false;
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool launch(const struct start *start)
{
    sigset_t all, earlier;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &earlier) != 0) return false;
    pid_t process = create_process();
    if (process == 0) {
        pid_t child = create_process();
        if (child == 0) execute(start);
        _exit(child < 0);
    }
    bool succeeded = process > 0 && await(process);
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, &earlier, NULL);
    errno = reason;
    return succeeded;
}
