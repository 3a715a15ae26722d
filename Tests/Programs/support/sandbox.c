// SPDX-License-Identifier: Apache-2.0

// Tries what a program in the place of the system service could want to do, and prints for each the kernel's error, or 0.
//
// usage: sandbox PROCESS ADDRESS
//   PROCESS   the number of a process of root
//   ADDRESS   of 8 bytes in its memory, in hexadecimal
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/netlink.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t other;
static uintptr_t address;
static const char own[] = "/var/lib/chatelaine/intruder";
static const char *place;

static int write_file(void) {
    char path[512];
    snprintf(path, sizeof path, "%s/intruder", place);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0700);
    if (file < 0) return -1;
    unlink(path);
    return 0;
}

static int copy_to(int out, const char *from) {
    static char bytes[1 << 20];
    int in = open(from, O_RDONLY);
    ssize_t count = in < 0 ? -1 : read(in, bytes, sizeof bytes);
    return count > 0 && write(out, bytes, (size_t)count) == count ? 0 : -1;
}

// The child is gone when the program was started, whatever that does then.
static int starts(const char *path, char *const words[], int file) {
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) < 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        int silence = open("/dev/null", O_RDWR);
        dup2(silence, 1);
        dup2(silence, 2);
        if (path) execv(path, words);
        else syscall(SYS_execveat, file, "", words, environ, AT_EMPTY_PATH);
        int error = errno;
        if (write(pair[1], &error, sizeof error) < 0) _exit(2);
        _exit(1);
    }
    close(pair[1]);
    int error = 0, status = 0;
    ssize_t count = read(pair[0], &error, sizeof error);
    waitpid(child, &status, 0);
    if (count == 0) return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : (errno = ENOEXEC, -1);
    errno = error;
    return -1;
}

static char *const one_word[] = {"true", NULL};

static int starts_program(void) { return starts("/bin/true", one_word, -1); }
static int starts_shell(void) { return starts("/bin/sh", (char *const[]){"sh", "-c", "exit 0", NULL}, -1); }
static int starts_own_file(void) {
    int file = open(own, O_WRONLY | O_CREAT | O_TRUNC, 0700);
    int done = file < 0 ? -1 : copy_to(file, "/bin/true");
    if (file >= 0) close(file);
    if (done == 0) done = starts(own, one_word, -1);
    int error = errno;
    unlink(own);
    errno = error;
    return done;
}
static int starts_by_the_loader(void) {
    return starts("/lib64/ld-linux-x86-64.so.2", (char *const[]){"ld", "/bin/true", NULL}, -1);
}
static int starts_from_memory(void) {
    int file = (int)syscall(SYS_memfd_create, "intruder", MFD_CLOEXEC);
    if (file < 0 || copy_to(file, "/bin/true") < 0) return -1;
    return starts(NULL, one_word, file);
}

static int maps(int flags, int protection, int file) {
    return mmap(NULL, 4096, protection, flags, file, 0) == MAP_FAILED ? -1 : 0;
}
static int writable_code(void) { return maps(MAP_PRIVATE | MAP_ANONYMOUS, PROT_READ | PROT_WRITE | PROT_EXEC, -1); }
static int code_from_data(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? -1 : mprotect(page, 4096, PROT_READ | PROT_EXEC);
}
static int code_from_own_file(void) {
    int file = open(own, O_RDWR | O_CREAT | O_TRUNC, 0700);
    int done = file < 0 || ftruncate(file, 4096) < 0 ? -1 : maps(MAP_PRIVATE, PROT_READ | PROT_EXEC, file);
    int error = errno;
    unlink(own);
    errno = error;
    return done;
}
static int code_from_memory_file(void) {
    int file = (int)syscall(SYS_memfd_create, "intruder", MFD_CLOEXEC);
    return file < 0 || ftruncate(file, 4096) < 0 ? -1 : maps(MAP_PRIVATE, PROT_READ | PROT_EXEC, file);
}

static int internet(void) { return socket(AF_INET, SOCK_STREAM, 0); }
static int internet_6(void) { return socket(AF_INET6, SOCK_DGRAM, 0); }
static int netlink(void) { return socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE); }

static int user_namespace(void) { return unshare(CLONE_NEWUSER); }
static int mount_namespace(void) { return unshare(CLONE_NEWNS); }
static int namespace_of_a_child(void) {
    long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) _exit(0);
    return (int)child;
}

static int attach(void) {
    if (ptrace(PTRACE_SEIZE, other, 0, 0) < 0) return -1;
    ptrace(PTRACE_DETACH, other, 0, 0);
    return 0;
}
static struct iovec here, there;
static int read_memory(void) { return (int)process_vm_readv(other, &here, 1, &there, 1, 0); }
// What is there, so that nothing changes.
static int write_memory(void) {
    process_vm_readv(other, &here, 1, &there, 1, 0);
    return (int)process_vm_writev(other, &here, 1, &there, 1, 0);
}
static int take_descriptor(void) {
    int handle = (int)syscall(SYS_pidfd_open, other, 0);
    return handle < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, handle, 0, 0);
}
static int memory_file(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", other);
    int file = open(path, O_RDONLY);
    char bytes[8];
    return file < 0 ? -1 : (int)pread(file, bytes, sizeof bytes, (off_t)address);
}
static int file_by_handle(void) {
    struct {
        struct file_handle head;
        char bytes[MAX_HANDLE_SZ];
    } handle = {.head.handle_bytes = MAX_HANDLE_SZ};
    int mount, folder = open("/var/lib/systemd", O_RDONLY | O_DIRECTORY);
    if (folder < 0 || name_to_handle_at(AT_FDCWD, "/var/lib/systemd", &handle.head, &mount, 0) < 0) return -1;
    return open_by_handle_at(folder, &handle.head, O_RDONLY);
}

static int other_user(void) { return setuid(0); }
static int other_groups(void) { return setgroups(0, NULL); }
static int other_root(void) { return chroot("/"); }
// The name that the machine has, so that nothing changes where this is allowed.
static int other_name(void) {
    char name[65] = "";
    return gethostname(name, sizeof name - 1) < 0 ? -1 : sethostname(name, strlen(name));
}
static int end_of_others(void) { return kill(other, SIGCONT); }
static int owner_of_a_file(void) {
    int file = open(own, O_WRONLY | O_CREAT, 0600);
    int done = file < 0 ? -1 : fchown(file, 12345, 12345);
    int error = errno;
    unlink(own);
    errno = error;
    return done;
}
static int set_user_id(void) {
    int file = open(own, O_WRONLY | O_CREAT, 0600);
    int done = file < 0 ? -1 : fchmod(file, 04755);
    int error = errno;
    unlink(own);
    errno = error;
    return done;
}
static int no_random_places(void) { return personality(ADDR_NO_RANDOMIZE); }
static int priority(void) {
    struct sched_param most = {.sched_priority = 1};
    return sched_setscheduler(0, SCHED_RR, &most);
}
static int keyring(void) { return (int)syscall(SYS_add_key, "user", "intruder", "x", 1, -3); }

static const struct {
    const char *name;
    int (*body)(void);
} ways[] = {
    {"start a program", starts_program},
    {"start a shell", starts_shell},
    {"start a file of its own", starts_own_file},
    {"start a program by the loader", starts_by_the_loader},
    {"start a program from memory", starts_from_memory},
    {"memory that is data and code", writable_code},
    {"code that was data", code_from_data},
    {"code of a file of its own", code_from_own_file},
    {"code of a file in memory", code_from_memory_file},
    {"internet", internet},
    {"internet 6", internet_6},
    {"netlink", netlink},
    {"a user namespace", user_namespace},
    {"a mount namespace", mount_namespace},
    {"a child in a user namespace", namespace_of_a_child},
    {"attach to a process", attach},
    {"read a process", read_memory},
    {"write a process", write_memory},
    {"take a descriptor", take_descriptor},
    {"read a process by its file", memory_file},
    {"open a file by its handle", file_by_handle},
    {"another user", other_user},
    {"other groups", other_groups},
    {"another root", other_root},
    {"another host name", other_name},
    {"signal a process", end_of_others},
    {"give a file away", owner_of_a_file},
    {"a program that runs as its owner", set_user_id},
    {"memory in places that are known", no_random_places},
    {"a priority above others", priority},
    {"a key in the keyring", keyring},
};

static const char *const places[] = {"/tmp", "/var/tmp", "/dev/shm", "/run", "/home", "/root", "/etc", "/usr/local/bin", "/var/lib",
                                     "/run/chatelaine", "/var/lib/chatelaine"};

static void try_in_child(const char *verb, const char *name, int (*body)(void)) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        errno = 0;
        int result = body();
        int error = result < 0 ? errno : 0;
        printf("%s%s\t%d\n", verb, name, error);
        fflush(stdout);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status)) printf("%s%s\t-%d\n", verb, name, WTERMSIG(status));
}

int main(int count, char **words) {
    if (count != 3) return 64;
    other = atoi(words[1]);
    address = strtoull(words[2], NULL, 16);
    static char room[8];
    here = (struct iovec){room, sizeof room};
    there = (struct iovec){(void *)address, sizeof room};
    for (size_t index = 0; index < sizeof ways / sizeof *ways; index++) try_in_child("", ways[index].name, ways[index].body);
    for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
        place = places[index];
        try_in_child("write ", place, write_file);
    }
    return 0;
}
