// SPDX-License-Identifier: Apache-2.0

/// pam_chatelaine.so passes the login password to chatelaine-login, which unlocks the keychain of the user with it
/// (chatelaine-login(8)).
///
/// The module runs in login, sshd, sudo and display managers, often as root. So it is small, has no thread, no signal handler and
/// no state outside of the PAM handle, starts its program without the host's knowledge of a child, and returns PAM_IGNORE in each
/// case: it neither permits nor prevents a login. Apart from the lookups of the user, which each login makes as well, it waits for
/// one event: the end of a process that executes nothing. That wait is bounded.

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include <security/pam_modules.h>

#include "log.h"
#include "start.h"

#ifndef CHATELAINE_LOGIN
#define CHATELAINE_LOGIN "/usr/bin/chatelaine-login"
#endif

#define EXPORTED __attribute__((visibility("default")))

/// The name of the data that a PAM handle keeps for this module.
static const char data_name[] = "chatelaine_login";

enum {
    /// The longest password that a keychain takes (Documentation/Formats/keybag.md).
    password_bytes = 1024,
    user_bytes = 256,
    path_bytes = 1024,
    /// Of the buffer for an entry of the user database.
    entry_bytes = 65536,
};

/// The password of a user, in pages of its own: locked in memory, in no core file, and empty in a forked child.
struct login {
    char program[path_bytes];
    char user[user_bytes];
    char password[password_bytes + 1];
    /// The password before a change; empty without a change.
    char old[password_bytes + 1];
    /// What the program receives: two sizes and two passwords.
    unsigned char message[4 + 2 * password_bytes];
};

// MARK: The kept password

static void free_login(struct login *login)
{
    explicit_bzero(login, sizeof *login);
    munmap(login, sizeof *login);
}

static struct login *make_login(pam_handle_t *handle)
{
    void *pages = mmap(NULL, sizeof(struct login), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        report(handle, LOG_ERR, "no memory for the login password: %m; the keychain does not get it");
        return NULL;
    }
    if (mlock(pages, sizeof(struct login)) != 0 || madvise(pages, sizeof(struct login), MADV_DONTDUMP) != 0
        || madvise(pages, sizeof(struct login), MADV_WIPEONFORK) != 0) {
        report(handle, LOG_ERR, "the memory for the login password cannot be protected: %m; the keychain does not get it");
        munmap(pages, sizeof(struct login));
        return NULL;
    }
    return pages;
}

/// Copies a text that fits with its end; returns whether it does.
static bool copy(char *target, size_t size, const char *text)
{
    size_t length = strnlen(text, size);
    if (length == size) return false;
    memcpy(target, text, length + 1);
    return true;
}

static const char *item(pam_handle_t *handle, int type)
{
    const void *value = NULL;
    return pam_get_item(handle, type, &value) == PAM_SUCCESS ? value : NULL;
}

/// Returns the path of the program from the options of the module; NULL for an invalid option.
static const char *program(pam_handle_t *handle, int count, const char **options)
{
    const char *path = CHATELAINE_LOGIN;
    for (int index = 0; index < count; index++) {
        if (strncmp(options[index], "program=/", strlen("program=/")) != 0) {
            report(
                handle, LOG_ERR, "the option \"%s\" is unknown; the only option is program=PATH, with an absolute path",
                options[index]);
            return NULL;
        }
        path = options[index] + strlen("program=");
    }
    return path;
}

static void end_login(pam_handle_t *handle, void *data, int status);

/// Returns the kept password; NULL without one.
static struct login *kept(pam_handle_t *handle)
{
    const void *data = NULL;
    return pam_get_data(handle, data_name, &data) == PAM_SUCCESS ? (struct login *)data : NULL;
}

/// Wipes the kept password, if there is one.
static void forget(pam_handle_t *handle)
{
    struct login *login = kept(handle);
    if (login != NULL && pam_set_data(handle, data_name, NULL, NULL) != PAM_SUCCESS) explicit_bzero(login, sizeof *login);
}

/// Keeps a password for the rest of the login, in place of an earlier one.
///
/// `old`: the password before a change; NULL without a change.
static void keep(pam_handle_t *handle, const char *path, const char *old, const char *password)
{
    const char *user = item(handle, PAM_USER);
    if (path == NULL || user == NULL || *user == '\0') return;
    struct login *login = make_login(handle);
    if (login == NULL) return;
    const char *problem = NULL;
    if (!copy(login->program, sizeof login->program, path)) problem = "the path of the program is too long";
    if (!copy(login->user, sizeof login->user, user)) problem = "the name of the user is too long";
    if (!copy(login->password, sizeof login->password, password) || !copy(login->old, sizeof login->old, old ? old : ""))
        problem = "the login password is longer than 1024 bytes";
    if (problem == NULL && pam_set_data(handle, data_name, login, end_login) == PAM_SUCCESS) return;
    report(
        handle, LOG_ERR, "%s; the keychain does not get the login password",
        problem ? problem : "PAM has no memory for another entry");
    free_login(login);
}

// MARK: Passing the password on

static void put_size(unsigned char *place, size_t size)
{
    place[0] = (unsigned char)(size & 0xFF);
    place[1] = (unsigned char)(size >> 8);
}

/// Returns a pipe that has the message in it; -1 with errno. The message is smaller than what a pipe always takes at once.
static int filled_pipe(struct login *login)
{
    size_t old = strlen(login->old), password = strlen(login->password);
    put_size(login->message, old);
    put_size(login->message + 2, password);
    memcpy(login->message + 4, login->old, old);
    memcpy(login->message + 4 + old, login->password, password);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    ssize_t size = (ssize_t)(4 + old + password);
    bool written = write(ends[1], login->message, (size_t)size) == size;
    int reason = errno;
    explicit_bzero(login->message, sizeof login->message);
    close(ends[1]);
    if (!written) {
        close(ends[0]);
        errno = reason;
        return -1;
    }
    // The program waits for the end of the input. The writing end is closed, so this read never blocks.
    fcntl(ends[0], F_SETFL, 0);
    return moved(ends[0]);
}

/// Whether only root can change a file, or replace root's entries of a folder. In a folder with the sticky bit, such as /tmp, other
/// users cannot replace them.
static bool is_of_root(const struct stat *facts)
{
    if (facts->st_uid != 0) return false;
    return (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0 || (S_ISDIR(facts->st_mode) && (facts->st_mode & S_ISVTX) != 0);
}

/// Writes the path of the program without links into `target`; false if there is no such program, or if another user than root can
/// change it, or replace it or a folder above it.
static bool find_program(pam_handle_t *handle, const char *path, char target[path_bytes])
{
    char *resolved = realpath(path, NULL);
    if (resolved == NULL || strlen(resolved) >= path_bytes) {
        report(
            handle, LOG_ERR, "%s cannot be found: %s; the keychain does not get the login password", path,
            resolved == NULL ? strerrordesc_np(errno) : "its path without links is too long");
        free(resolved);
        return false;
    }
    strcpy(target, resolved);
    free(resolved);
    struct stat facts;
    char folder[path_bytes];
    strcpy(folder, target);
    bool is_safe = stat(target, &facts) == 0 && S_ISREG(facts.st_mode) && is_of_root(&facts);
    while (is_safe && strcmp(folder, "/") != 0) {
        char *name = strrchr(folder, '/');
        name[name == folder ? 1 : 0] = '\0';
        is_safe = stat(folder, &facts) == 0 && is_of_root(&facts);
    }
    if (!is_safe)
        report(
            handle, LOG_ERR, "%s is no program that only root can change, so it does not get the login password", path);
    return is_safe;
}

/// Returns the groups of the user, which the caller frees; NULL without memory.
static gid_t *groups_of(const struct passwd *entry, int *count)
{
    gid_t *groups = NULL;
    *count = 64;
    for (;;) {
        int size = *count;
        gid_t *larger = realloc(groups, (size_t)size * sizeof *groups);
        if (larger == NULL) break;
        groups = larger;
        if (getgrouplist(entry->pw_name, entry->pw_gid, groups, count) >= 0) return groups;
        if (*count <= size) *count = size * 2;
        if (*count > NGROUPS_MAX) break;
    }
    free(groups);
    return NULL;
}

/// The variables that say where the keychain and the socket of its service are.
static const char *const session_variables[] = {"XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"};

enum { session_variable_count = sizeof session_variables / sizeof *session_variables };

/// Starts the program at this path, which is not in the pages of the password, for a user of the user database. `input` is closed.
static bool start_program(pam_handle_t *handle, const char *path, const char *action, const struct passwd *entry, int input)
{
    char *const arguments[] = {(char *)path, (char *)action, NULL};
    char *environment[5 + session_variable_count] = {(char *)"PATH=/usr/local/bin:/usr/bin:/bin"};
    int count = 0, size = 1;
    bool complete = asprintf(&environment[size], "HOME=%s", entry->pw_dir) >= 0 && ++size
        && asprintf(&environment[size], "USER=%s", entry->pw_name) >= 0 && ++size
        && asprintf(&environment[size], "LOGNAME=%s", entry->pw_name) >= 0 && ++size;
    for (size_t index = 0; complete && index < session_variable_count; index++) {
        const char *value = pam_getenv(handle, session_variables[index]);
        if (value == NULL) continue;
        complete = asprintf(&environment[size], "%s=%s", session_variables[index], value) >= 0;
        if (complete) size++;
    }
    environment[size] = NULL;
    gid_t *groups = geteuid() == 0 ? groups_of(entry, &count) : NULL;
    int null = moved(open("/dev/null", O_RDWR | O_CLOEXEC));
    int log = open_log();
    struct start start = {
        .path = path, .arguments = arguments, .environment = environment, .input = input, .output = null,
        .errors = log >= 0 ? log : null, .changes_user = geteuid() == 0, .user = entry->pw_uid, .group = entry->pw_gid,
        .groups = groups, .group_count = (size_t)count,
    };
    bool started = complete && null >= 0 && (groups != NULL || !start.changes_user) && launch(&start);
    int reason = errno;
    if (log >= 0) close(log);
    if (null >= 0) close(null);
    close(input);
    free(groups);
    for (int index = 1; index < size; index++) free(environment[index]);
    errno = reason;
    return started;
}

/// Passes the password to the program, which runs in the background.
///
/// `action`: "unlock", or "change" to leave the lock state as it is.
static void hand_over(pam_handle_t *handle, struct login *login, const char *action)
{
    // The pages are empty in a process that the host forked after the login.
    if (login->user[0] == '\0') return;
    char *buffer = malloc(entry_bytes);
    char path[path_bytes];
    struct passwd entry, *found = NULL;
    if (buffer == NULL || getpwnam_r(login->user, &entry, buffer, entry_bytes, &found) != 0 || found == NULL) {
        report(
            handle, LOG_ERR, "the user %s cannot be looked up; the keychain does not get the login password", login->user);
    } else if (geteuid() != 0 && geteuid() != entry.pw_uid) {
        report(
            handle, LOG_NOTICE, "only root can start a program of the user %s; the keychain does not get the login password",
            login->user);
    } else if (find_program(handle, login->program, path)) {
        int input = filled_pipe(login);
        if (input < 0 || !start_program(handle, path, action, &entry, input))
            report(
                handle, LOG_ERR, "%s cannot be started for the user %s: %m; the keychain does not get the login password",
                login->program, login->user);
    }
    free(buffer);
}

/// Ends the time for which a password is kept. After a change of the password, this is the end of the whole transaction: if it
/// succeeded, the keychain gets the new password. So a module behind this one can still prevent the change.
static void end_login(pam_handle_t *handle, void *data, int status)
{
    struct login *login = data;
    if (status == PAM_SUCCESS && login->old[0] != '\0') hand_over(handle, login, "change");
    free_login(login);
}

/// Unlocks the keychain with the kept password, which is not kept any longer.
static void unlock(pam_handle_t *handle)
{
    struct login *login = kept(handle);
    if (login == NULL) return;
    const char *user = item(handle, PAM_USER);
    // sudo opens the session of another user than the one whose password it verified.
    if (user != NULL && strcmp(user, login->user) == 0) hand_over(handle, login, "unlock");
    forget(handle);
}

// MARK: The functions of the module

EXPORTED int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **options)
{
    (void)flags;
    forget(handle);
    // This module asks for nothing: without an earlier module that did, such as after a fingerprint, there is no password.
    const char *password = item(handle, PAM_AUTHTOK);
    if (password != NULL && *password != '\0') keep(handle, program(handle, count, options), NULL, password);
    return PAM_IGNORE;
}

EXPORTED int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **options)
{
    (void)count;
    (void)options;
    // A screen locker opens no session. After it has verified the user, it refreshes the credentials of the session.
    if (flags & (PAM_REINITIALIZE_CRED | PAM_REFRESH_CRED)) unlock(handle);
    return PAM_IGNORE;
}

EXPORTED int pam_sm_open_session(pam_handle_t *handle, int flags, int count, const char **options)
{
    (void)flags;
    (void)count;
    (void)options;
    unlock(handle);
    return PAM_IGNORE;
}

EXPORTED int pam_sm_close_session(pam_handle_t *handle, int flags, int count, const char **options)
{
    (void)handle;
    (void)flags;
    (void)count;
    (void)options;
    return PAM_IGNORE;
}

EXPORTED int pam_sm_chauthtok(pam_handle_t *handle, int flags, int count, const char **options)
{
    if (!(flags & PAM_UPDATE_AUTHTOK)) {
        // An earlier change that did not succeed must not be passed on with the success of this one.
        struct login *login = kept(handle);
        if (login != NULL && login->old[0] != '\0') forget(handle);
        return PAM_IGNORE;
    }
    const char *old = item(handle, PAM_OLDAUTHTOK), *password = item(handle, PAM_AUTHTOK), *user = item(handle, PAM_USER);
    if (password == NULL || *password == '\0') return PAM_IGNORE;
    if (old != NULL && *old != '\0') {
        keep(handle, program(handle, count, options), old, password);
    } else {
        report(
            handle, LOG_INFO,
            "the password of %s is changed without the old one, so a keychain keeps the old one; `chatelaine setup login` renews it",
            user ? user : "a user");
    }
    return PAM_IGNORE;
}
