// SPDX-License-Identifier: Apache-2.0

#include "CKeychainPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

// Since Linux 5.9, with the same number on every architecture; glibc names it from 2.34.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

// The same number on every architecture; glibc and older headers do not define the call.
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif

int ckp_pidfd_open(int32_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

// O_PATH: only a starting point for lookups; needs no permission to read the directory.
int ckp_open_directory(const char *path) {
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

// Returns the f_type of the file system that holds the open file.
int64_t ckp_filesystem_type(int descriptor) {
    struct statfs facts;
    return fstatfs(descriptor, &facts) == 0 ? (int64_t)(uint32_t)facts.f_type : -1;
}

uint64_t ckp_file_capabilities(int descriptor) {
    // struct vfs_ns_cap_data of <linux/capability.h>: a revision, then twice a word of 32 permitted and a word of 32
    // inheritable capabilities, then the user for whose namespace they are meant. All of it is little-endian.
    unsigned char data[24];
    const ssize_t size = fgetxattr(descriptor, "security.capability", data, sizeof data);
    uint32_t words[6] = {0};
    for (ssize_t index = 0; index < size; index++) words[index / 4] |= (uint32_t)data[index] << (8 * (index % 4));
    const bool is_ours = (words[0] >> 24 == 2 && size == 20) || (words[0] >> 24 == 3 && size == 24 && words[5] == 0);
    return is_ours ? (uint64_t)words[3] << 32 | words[1] : 0;
}

// Ignores SIGIO unless the program handles it, because the kernel's request to end a lease would end the process.
static void ignore_sigio(void) {
    struct sigaction action;
    if (sigaction(SIGIO, NULL, &action) == 0 && action.sa_handler == SIG_DFL) signal(SIGIO, SIG_IGN);
}

// Takes a read lease (fcntl(2)): fails with EAGAIN while any process has the file open for writing, or mapped for
// writing. A process that then opens it for writing waits until the lease ends. Requires the file's owner, or CAP_LEASE
// (EACCES).
int ckp_take_lease(int descriptor) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ignore_sigio);
    return fcntl(descriptor, F_SETLEASE, F_RDLCK);
}

// Returns false once a process waits for the end of the lease.
bool ckp_has_lease(int descriptor) {
    return fcntl(descriptor, F_GETLEASE) == F_RDLCK;
}

int ckp_end_lease(int descriptor) {
    return fcntl(descriptor, F_SETLEASE, F_UNLCK);
}

int ckp_memfd_secret(void) {
    // The manual page says FD_CLOEXEC, but the kernel checks O_CLOEXEC (mm/secretmem.c).
    return (int)syscall(SYS_memfd_secret, O_CLOEXEC);
}

// Fills the buffer from the kernel's generator, and waits for its first seed if necessary.
int ckp_random(void *buffer, size_t count) {
    size_t filled = 0;
    while (filled < count) {
        ssize_t result = getrandom((char *)buffer + filled, count - filled, 0);
        if (result < 0 && errno != EINTR) return -1;
        if (result > 0) filled += (size_t)result;
    }
    return 0;
}

int ckp_set_dumpable(int value) {
    return prctl(PR_SET_DUMPABLE, (unsigned long)value, 0, 0, 0);
}

int ckp_get_dumpable(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

int ckp_set_no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

// Blocks the signals in the calling thread (threads started later inherit that) and opens a descriptor that becomes
// readable when a signal is pending.
int ckp_signalfd(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t index = 0; index < count; index++) sigaddset(&set, signals[index]);
    int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Returns the next pending signal's number.
int ckp_signalfd_read(int descriptor) {
    struct signalfd_siginfo information;
    ssize_t count = read(descriptor, &information, sizeof information);
    if (count < 0) return -1;
    if (count != sizeof information) {
        errno = EIO;
        return -1;
    }
    return (int)information.ssi_signo;
}

int ckp_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int ckp_default_signal(int number) {
    return signal(number, SIG_DFL) == SIG_ERR ? -1 : 0;
}

int ckp_ignore_signal(int number) {
    return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0;
}

// Closes every descriptor from `first` up.
int ckp_close_from(int first) {
    return (int)syscall(SYS_close_range, (unsigned)first, ~0U, 0);
}

// Reads the capabilities that the calling thread may use, a bit each (capabilities(7)).
int ckp_capabilities(uint64_t *permitted) {
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0) return -1;
    *permitted = (uint64_t)data[1].permitted << 32 | data[0].permitted;
    return 0;
}

// Drops all capabilities except these, for the calling thread and those it starts, and all that a program would
// inherit. Fails with EPERM for a capability that the thread does not have.
int ckp_set_capabilities(uint64_t kept) {
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return -1;
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[2] = {
        { .effective = (uint32_t)kept, .permitted = (uint32_t)kept },
        { .effective = (uint32_t)(kept >> 32), .permitted = (uint32_t)(kept >> 32) },
    };
    return (int)syscall(SYS_capset, &header, data);
}

// Lets root act as another user, with that one group, until the next call; applies to all threads.
int ckp_act_as(uint32_t user, uint32_t group) {
    if (geteuid() != 0 && seteuid(0) != 0) return -1;
    if (setgroups(0, NULL) != 0 || setegid(group) != 0) return -1;
    return seteuid(user);
}

// Renames a file or folder. With `exchange`, both names must exist and are exchanged atomically; without, the new one
// must not exist (EEXIST).
int ckp_rename(const char *from, const char *to, bool exchange) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, exchange ? RENAME_EXCHANGE : RENAME_NOREPLACE);
}

// The start and end of the program's read-only part as the linker placed it: constants, then code.
extern const char __executable_start, etext;

// Releases the pages of the program's own code and constants. They are unchanged pages of the file, and are loaded from
// the page cache again when they are used.
int ckp_release_code(void) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)&__executable_start + page - 1) / page * page;
    // Rounded down, because a partial last page might hold writable data.
    uintptr_t end = (uintptr_t)&etext / page * page;
    return end > start ? madvise((void *)start, end - start, MADV_DONTNEED) : 0;
}

// More than the depth of a request (Tests/Programs/memory.py checks it), and a small part of a connection's stack.
enum { wiped_stack_bytes = 48 * 1024 };

// The C library copies memory through vector registers, so they hold the end of the last copy: 64 bytes each if the
// processor has AVX-512. The dynamic linker writes them to the stack when a function is called for the first time. The
// calling conventions let a function change each register, or each half of a register, that is overwritten here.
static void wipe_vector_registers(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
#define WIPE(number) "vpxorq %%zmm" #number ", %%zmm" #number ", %%zmm" #number "\n"
        __asm__ volatile(WIPE(16) WIPE(17) WIPE(18) WIPE(19) WIPE(20) WIPE(21) WIPE(22) WIPE(23) WIPE(24) WIPE(25) WIPE(26)
                             WIPE(27) WIPE(28) WIPE(29) WIPE(30) WIPE(31)::);
#undef WIPE
    }
    if (__builtin_cpu_supports("avx")) {
        // The first 16 registers, in full width.
        __asm__ volatile("vzeroall" ::
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                               "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    } else {
#define WIPE(number) __asm__ volatile("pxor %%xmm" #number ", %%xmm" #number ::: "xmm" #number);
        WIPE(0) WIPE(1) WIPE(2) WIPE(3) WIPE(4) WIPE(5) WIPE(6) WIPE(7) WIPE(8) WIPE(9) WIPE(10) WIPE(11) WIPE(12) WIPE(13)
        WIPE(14) WIPE(15)
#undef WIPE
    }
#elif defined(__aarch64__)
#define WIPE(number) __asm__ volatile("movi v" #number ".2d, #0" ::: "v" #number);
    WIPE(0) WIPE(1) WIPE(2) WIPE(3) WIPE(4) WIPE(5) WIPE(6) WIPE(7) WIPE(16) WIPE(17) WIPE(18) WIPE(19) WIPE(20) WIPE(21)
    WIPE(22) WIPE(23) WIPE(24) WIPE(25) WIPE(26) WIPE(27) WIPE(28) WIPE(29) WIPE(30) WIPE(31)
#undef WIPE
    // The lower halves of these belong to the caller, and are restored when its own functions return.
#define WIPE(number) "mov v" #number ".d[1], xzr\n"
    __asm__ volatile(WIPE(8) WIPE(9) WIPE(10) WIPE(11) WIPE(12) WIPE(13) WIPE(14) WIPE(15)::);
#undef WIPE
#endif
}

// Overwrites the vector registers, and the stack below the caller, where finished calls left data. The registers come
// first, because calling explicit_bzero may write them to the stack.
__attribute__((noinline)) void ckp_wipe_stack_and_registers(void) {
    wipe_vector_registers();
    unsigned char area[wiped_stack_bytes];
    explicit_bzero(area, sizeof area);
}
