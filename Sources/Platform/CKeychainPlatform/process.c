// SPDX-License-Identifier: Apache-2.0

#include "CKeychainPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

// The functions here are in C because Swift cannot call syscall and prctl, which are variadic, and because the Glibc module
// omits the other calls and the structures of <linux/capability.h>. ckp_release_code reads symbols of the linker, and
// ckp_wipe_stack_and_registers writes registers and the stack below its caller.

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

int ckp_pidfd_send_signal(int pidfd, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

// Returns the f_type of the file system that holds the open file.
int64_t ckp_filesystem_type(int descriptor) {
    struct statfs facts;
    return fstatfs(descriptor, &facts) == 0 ? (int64_t)(uint32_t)facts.f_type : -1;
}

// Returns the device of the file system that holds the open file, without asking that file system (statx(2)).
int64_t ckp_cached_device(int descriptor) {
    struct statx facts;
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0, &facts) != 0) return -1;
    return (int64_t)facts.stx_dev_major << 32 | facts.stx_dev_minor;
}

// Reads an extended attribute of an open file (fgetxattr(2)), and returns its size.
ssize_t ckp_extended_attribute(int descriptor, const char *name, void *value, size_t capacity) {
    return fgetxattr(descriptor, name, value, capacity);
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

// Opens a descriptor that becomes readable when a signal of the set (a sigset_t) is pending.
int ckp_signalfd(const void *set) {
    return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int ckp_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
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
