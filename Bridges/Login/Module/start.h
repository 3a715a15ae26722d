// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <sys/types.h>

/// What the started process needs, prepared before it exists, because it may only make system calls.
struct start {
    const char *path;
    char *const *arguments;
    char *const *environment;
    int input;
    int output;
    /// The system log, or /dev/null.
    int errors;
    bool changes_user;
    uid_t user;
    gid_t group;
    const gid_t *groups;
    size_t group_count;
};

/// Starts the program as the user. It becomes a child of init, so that the host never has a child to wait for. Returns whether the
/// process of the program exists; if it cannot execute the program, it reports that in the system log.
///
/// The wait for the process that creates it is bounded.
bool launch(const struct start *start);
