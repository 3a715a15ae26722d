// SPDX-License-Identifier: Apache-2.0

#include "CKeychainPlatform.h"

// In C because the filter is made of macros that compute (BPF_*) and of the architecture's numbers of system calls, and
// because Swift cannot call syscall, which is variadic.

#include <errno.h>
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

// Headers of older kernels lack these. Calls this new have one number on all architectures.
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

// All calls that a program of this project may make: those of glibc, the Swift runtime, libdispatch, SQLite and the
// libraries of windows, in older and newer versions too. It is systemd's set @system-service (systemd.exec(5), version
// 252) without the calls for other processes, keyrings, io_uring, message queues, namespaces, modes of the processor
// and handles of files, and with memfd_secret, seccomp and Landlock. Calls that are newer than Linux 6.1 fail as on
// such a kernel, so that libraries which try new calls first fall back to the old ones; all others fail with EPERM. No
// call ends the process: a call that is missing here causes a readable error, not the end of the keychain service.
static const int allowed_calls[] = {
    // Memory and threads.
    SYS_brk, SYS_exit, SYS_exit_group, SYS_futex, SYS_futex_waitv, SYS_get_robust_list, SYS_getcpu, SYS_madvise,
    SYS_membarrier, SYS_memfd_create, SYS_memfd_secret, SYS_mlock, SYS_mlock2, SYS_mlockall, SYS_mmap, SYS_mprotect,
    SYS_mremap, SYS_msync, SYS_munlock, SYS_munlockall, SYS_munmap, SYS_rseq, SYS_sched_get_priority_max,
    SYS_sched_get_priority_min, SYS_sched_getaffinity, SYS_sched_getattr, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_sched_setaffinity, SYS_sched_setattr, SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_yield,
    SYS_set_robust_list, SYS_set_tid_address,
    // Files, which every program opens by their names and modes alone.
    SYS_chdir, SYS_close, SYS_close_range, SYS_copy_file_range, SYS_dup, SYS_dup3, SYS_faccessat, SYS_faccessat2,
    SYS_fadvise64, SYS_fallocate, SYS_fchdir, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_fcntl,
    SYS_fdatasync, SYS_fgetxattr, SYS_flistxattr, SYS_flock, SYS_fremovexattr, SYS_fsetxattr, SYS_fstat, SYS_fstatfs,
    SYS_fsync, SYS_ftruncate, SYS_getcwd, SYS_getdents64, SYS_getxattr, SYS_ioctl, SYS_lgetxattr, SYS_linkat,
    SYS_listxattr, SYS_llistxattr, SYS_lseek, SYS_mkdirat, SYS_mknodat, SYS_newfstatat, SYS_openat, SYS_openat2,
    SYS_pread64, SYS_preadv, SYS_preadv2, SYS_pwrite64, SYS_pwritev, SYS_pwritev2, SYS_read, SYS_readahead,
    SYS_readlinkat, SYS_readv, SYS_renameat, SYS_renameat2, SYS_sendfile, SYS_setxattr, SYS_splice, SYS_statfs,
    SYS_statx, SYS_symlinkat, SYS_sync, SYS_sync_file_range, SYS_syncfs, SYS_truncate, SYS_umask, SYS_unlinkat,
    SYS_utimensat, SYS_write, SYS_writev,
    // Waiting, time and signals.
    SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
    SYS_epoll_pwait2, SYS_eventfd2, SYS_getitimer, SYS_gettimeofday, SYS_inotify_add_watch, SYS_inotify_init1,
    SYS_inotify_rm_watch, SYS_kill, SYS_nanosleep, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pipe2, SYS_ppoll,
    SYS_pselect6, SYS_restart_syscall, SYS_rt_sigaction, SYS_rt_sigpending, SYS_rt_sigprocmask, SYS_rt_sigqueueinfo,
    SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_rt_tgsigqueueinfo, SYS_setitimer, SYS_sigaltstack,
    SYS_signalfd4, SYS_tgkill, SYS_timer_create, SYS_timer_delete, SYS_timer_getoverrun, SYS_timer_gettime,
    SYS_timer_settime, SYS_timerfd_create, SYS_timerfd_gettime, SYS_timerfd_settime, SYS_times, SYS_tkill, SYS_wait4,
    SYS_waitid,
    // Sockets; the filter below restricts their kinds.
    SYS_accept, SYS_accept4, SYS_bind, SYS_connect, SYS_getpeername, SYS_getsockname, SYS_getsockopt, SYS_listen,
    SYS_recvfrom, SYS_recvmmsg, SYS_recvmsg, SYS_sendmmsg, SYS_sendmsg, SYS_sendto, SYS_setsockopt, SYS_shutdown,
    SYS_socketpair,
    // Shared memory of a display server and its clients (MIT-SHM), for prompters with windows.
    SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_shmget,
    // The process itself, and dropping rights.
    SYS_capget, SYS_capset, SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getgroups, SYS_getpgid, SYS_getpid, SYS_getppid,
    SYS_getpriority, SYS_getrandom, SYS_getresgid, SYS_getresuid, SYS_getrlimit, SYS_getrusage, SYS_getsid,
    SYS_gettid, SYS_getuid, SYS_landlock_add_rule, SYS_landlock_create_ruleset, SYS_landlock_restrict_self, SYS_prctl,
    SYS_prlimit64, SYS_seccomp, SYS_setfsgid, SYS_setfsuid, SYS_setgid, SYS_setgroups, SYS_setpgid, SYS_setpriority,
    SYS_setregid, SYS_setresgid, SYS_setresuid, SYS_setreuid, SYS_setrlimit, SYS_setsid, SYS_setuid, SYS_sysinfo,
    SYS_uname,
#ifdef __x86_64__
    // Older forms of these calls, which later architectures never had.
    SYS_access, SYS_alarm, SYS_arch_prctl, SYS_chmod, SYS_chown, SYS_creat, SYS_dup2, SYS_epoll_create,
    SYS_epoll_wait, SYS_eventfd, SYS_fork, SYS_getdents, SYS_getpgrp, SYS_inotify_init, SYS_link, SYS_lstat,
    SYS_mkdir, SYS_mknod, SYS_open, SYS_pause, SYS_pipe, SYS_poll, SYS_readlink, SYS_rename, SYS_rmdir, SYS_select,
    SYS_signalfd, SYS_stat, SYS_symlink, SYS_time, SYS_unlink, SYS_utime, SYS_utimes, SYS_vfork,
#endif
};

// Separate, because the caller decides whether programs may be started.
static const int program_calls[] = { SYS_execve, SYS_execveat };

// The last call of Linux 6.1, set_mempolicy_home_node.
#define NEWEST_CALL 450

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LOAD(field) \
    ((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field)))
#define IF_EQUAL(value, then, otherwise) \
    ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), then, otherwise))
#define IF_ANY_BIT(value, then, otherwise) \
    ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(value), then, otherwise))
#define IF_GREATER(value, then, otherwise) \
    ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)(value), then, otherwise))
#define RETURN(value) ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, (value)))
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define IS_UNKNOWN RETURN(SECCOMP_RET_ERRNO | ENOSYS)

// Installs the filter in every thread (TSYNC).
int ckp_seccomp_restrict(bool allow_programs) {
#ifndef THIS_ARCHITECTURE
    errno = ENOSYS;
    return -1;
#else
    struct sock_filter filter[32 + 2 * (COUNT(program_calls) + COUNT(allowed_calls))];
    unsigned short length = 0;
#define ADD(instruction) filter[length++] = (instruction)
    // Call numbers differ on another architecture (32-bit calls from a 64-bit process).
    ADD(LOAD(arch));
    ADD(IF_EQUAL(THIS_ARCHITECTURE, 1, 0));
    ADD(REFUSE);
    ADD(LOAD(nr));
#ifdef __x86_64__
    // The x32 numbers are the same calls under other names (__X32_SYSCALL_BIT).
    ADD(IF_ANY_BIT(0x40000000, 0, 1));
    ADD(REFUSE);
#endif
    ADD(IF_GREATER(NEWEST_CALL, 0, 1));
    ADD(IS_UNKNOWN);
    for (size_t index = 0; index < COUNT(allowed_calls); index++) {
        ADD(IF_EQUAL(allowed_calls[index], 0, 1));
        ADD(ALLOW);
    }
    for (size_t index = 0; allow_programs && index < COUNT(program_calls); index++) {
        ADD(IF_EQUAL(program_calls[index], 0, 1));
        ADD(ALLOW);
    }
    // clone3 passes its flags behind a pointer that a filter cannot follow. Without it glibc uses clone.
    ADD(IF_EQUAL(SYS_clone3, 0, 1));
    ADD(IS_UNKNOWN);
    // Allows threads but no namespaces. Both architectures pass the flags first; the low half holds all of these.
    ADD(IF_EQUAL(SYS_clone, 0, 4));
    ADD(LOAD(args[0]));
    ADD(IF_ANY_BIT(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
                       | CLONE_NEWCGROUP, 0, 1));
    ADD(REFUSE);
    ADD(ALLOW);
    // Only Unix sockets, because a keychain needs no network.
    ADD(IF_EQUAL(SYS_socket, 0, 3));
    ADD(LOAD(args[0]));
    ADD(IF_EQUAL(AF_UNIX, 0, 1));
    ADD(ALLOW);
    ADD(REFUSE);
#undef ADD
    struct sock_fprog program = { .len = length, .filter = filter };
    long failure = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (failure > 0) {
        // The result is the ID of a thread that could not take the filter, so errno is set here.
        errno = EBUSY;
        return -1;
    }
    return (int)failure;
#endif
}

// Confines the calling thread, and those it starts, to the files that are open already: no path can be opened, listed,
// made or run. Needs no_new_privs (or CAP_SYS_ADMIN).
int ckp_landlock_forbid_files(void) {
    struct landlock_ruleset_attr attributes = {
        // All rights of the first version of Landlock.
        .handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE
            | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE
            | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG
            | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK
            | LANDLOCK_ACCESS_FS_MAKE_SYM,
    };
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0) return -1;
    int result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    int cause = errno;
    close(ruleset);
    errno = cause;
    return result;
}
