// SPDX-License-Identifier: Apache-2.0

// Functions that Swift cannot express: Linux calls that its Glibc module omits (it is built without _GNU_SOURCE),
// macros that compute (CMSG_*, BPF_*), and variadic syscall(). No function here makes policy decisions.
//
// Every function returns -1 and sets errno if the kernel refuses, unless its comment says otherwise.

#ifndef CKEYCHAINPLATFORM_H
#define CKEYCHAINPLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The sender of a message, as the kernel recorded it with the bytes (SCM_CREDENTIALS).
typedef struct {
    bool present;
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
} ckp_sender;

// Sockets (sockets.c)
int ckp_accept(int listener);
ssize_t ckp_receive(int socket, void *buffer, size_t capacity, int flags, ckp_sender *sender, int *descriptor);

// Processes, files, descriptors (process.c)
int ckp_pidfd_open(int32_t pid);
int ckp_pidfd_send_signal(int pidfd, int signal);
int64_t ckp_filesystem_type(int descriptor);
int64_t ckp_cached_device(int descriptor);
ssize_t ckp_extended_attribute(int descriptor, const char *name, void *value, size_t capacity);
int ckp_memfd_secret(void);
int ckp_random(void *buffer, size_t count);
int ckp_set_dumpable(int value);
int ckp_get_dumpable(void);
int ckp_set_no_new_privileges(void);
int ckp_signalfd(const void *set);
int ckp_eventfd(void);
int ckp_close_from(int first);
int ckp_capabilities(uint64_t *permitted);
int ckp_set_capabilities(uint64_t kept);
int ckp_rename(const char *from, const char *to, bool exchange);
int ckp_release_code(void);
void ckp_wipe_stack_and_registers(void);

// Sandboxing (sandbox.c)
int ckp_seccomp_restrict(bool allow_programs);
int ckp_landlock_forbid_files(void);

#endif
