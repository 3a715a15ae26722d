// SPDX-License-Identifier: Apache-2.0

#include "CKeychainPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Whether programs may be started is a choice of the caller, so these two stand apart.
static const int program_calls[] = { SYS_execve, SYS_execveat };

// What a process that holds keys never needs. A list of what is forbidden, not of what is allowed: the Swift runtime,
// glibc and SQLite choose their calls by version, and an allow list that lags behind kills a healthy keychain.
static const int denied_calls[] = {
    // Other processes' memory and descriptors.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_kcmp, SYS_process_madvise,
    // Kernel interfaces with a history of local root.
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_add_key, SYS_request_key, SYS_keyctl,
    // Another view of the file system, or files by handle past their directories' permissions.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsconfig,
    SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_open_by_handle_at, SYS_unshare, SYS_setns,
    // The machine itself.
    SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff,
    SYS_acct, SYS_quotactl, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname,
    SYS_setdomainname, SYS_personality, SYS_syslog, SYS_vhangup,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LOAD(field) \
    ((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field)))
#define IF_EQUAL(value, then, otherwise) \
    ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), then, otherwise))
#define IF_ANY_BIT(value, then, otherwise) \
    ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(value), then, otherwise))
#define RETURN(value) ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, (value)))
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)

// Installs the filter in every thread (TSYNC). A forbidden call fails with EPERM and kills nothing.
int ckp_seccomp_deny(bool deny_programs) {
#ifndef THIS_ARCHITECTURE
    errno = ENOSYS;
    return -1;
#else
    struct sock_filter filter[32 + 2 * (COUNT(program_calls) + COUNT(denied_calls))];
    unsigned short length = 0;
#define ADD(instruction) filter[length++] = (instruction)
    // Numbers mean something else to another architecture (32-bit calls from a 64-bit process).
    ADD(LOAD(arch));
    ADD(IF_EQUAL(THIS_ARCHITECTURE, 1, 0));
    ADD(REFUSE);
    ADD(LOAD(nr));
#ifdef __x86_64__
    // The x32 numbers are the same calls under other names (__X32_SYSCALL_BIT).
    ADD(IF_ANY_BIT(0x40000000, 0, 1));
    ADD(REFUSE);
#endif
    for (size_t index = 0; deny_programs && index < COUNT(program_calls); index++) {
        ADD(IF_EQUAL(program_calls[index], 0, 1));
        ADD(REFUSE);
    }
    for (size_t index = 0; index < COUNT(denied_calls); index++) {
        ADD(IF_EQUAL(denied_calls[index], 0, 1));
        ADD(REFUSE);
    }
    // clone3 keeps its flags behind a pointer that a filter cannot follow. ENOSYS makes glibc use clone.
    ADD(IF_EQUAL(SYS_clone3, 0, 1));
    ADD(RETURN(SECCOMP_RET_ERRNO | ENOSYS));
    // Threads yes, namespaces no. Both architectures pass the flags first; the low half holds all of these.
    ADD(IF_EQUAL(SYS_clone, 0, 4));
    ADD(LOAD(args[0]));
    ADD(IF_ANY_BIT(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
                       | CLONE_NEWCGROUP, 0, 1));
    ADD(REFUSE);
    ADD(RETURN(SECCOMP_RET_ALLOW));
    // No network: a keychain speaks Unix sockets.
    ADD(IF_EQUAL(SYS_socket, 0, 3));
    ADD(LOAD(args[0]));
    ADD(IF_EQUAL(AF_UNIX, 1, 0));
    ADD(REFUSE);
    ADD(RETURN(SECCOMP_RET_ALLOW));
#undef ADD
    struct sock_fprog program = { .len = length, .filter = filter };
    long failure = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (failure > 0) {
        // The id of a thread that could not follow: no errno, so give one.
        errno = EBUSY;
        return -1;
    }
    return (int)failure;
#endif
}

// Rights that change files, and starting programs. Reading stays free.
#define HANDLED_BY_FIRST_VERSION                                                                                  \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR                   \
     | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR                \
     | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO                  \
     | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

// Confines the calling thread, and those it starts, to writing below the given directories. Renames between
// directories stay forbidden, as the first version of Landlock has them. Needs no_new_privs (or CAP_SYS_ADMIN).
int ckp_landlock_confine_writes(const char *const *directories, size_t count) {
    struct landlock_ruleset_attr attributes = { .handled_access_fs = HANDLED_BY_FIRST_VERSION };
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0) return -1;
    int result = 0;
    for (size_t index = 0; result == 0 && index < count; index++) {
        struct landlock_path_beneath_attr beneath = {
            .allowed_access = HANDLED_BY_FIRST_VERSION & ~LANDLOCK_ACCESS_FS_EXECUTE,
            .parent_fd = ckp_open_directory(directories[index]),
        };
        if (beneath.parent_fd < 0) {
            result = -1;
        } else {
            result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
            int cause = errno;
            close(beneath.parent_fd);
            errno = cause;
        }
    }
    if (result == 0) result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    int cause = errno;
    close(ruleset);
    errno = cause;
    return result;
}

// Confines the calling thread, and those it starts, to the files that are open already: no path can be opened, listed, made or
// run. Needs no_new_privs (or CAP_SYS_ADMIN).
int ckp_landlock_forbid_files(void) {
    struct landlock_ruleset_attr attributes = {
        .handled_access_fs = HANDLED_BY_FIRST_VERSION | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    };
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0) return -1;
    int result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    int cause = errno;
    close(ruleset);
    errno = cause;
    return result;
}
