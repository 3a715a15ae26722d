// SPDX-License-Identifier: Apache-2.0
// A program that does to a connection what each line of its input says, and answers each with a line. What it says to
// the service is made up by who drives it (caller.py).
//
// usage: caller SOCKET-PATH [DESCRIPTOR of a socket that is not connected yet]
//        caller --number NUMBER USER PROGRAM ARGUMENT...
// The second form needs root. It runs the program as this user in a process with this number, which must be free.
// Built with -DPRELOAD it is a library that does the same inside any program that loads it.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { line_bytes = 1 << 18 };
static char line[line_bytes];
static unsigned char bytes[line_bytes / 2];
static char answer[line_bytes];
static const char *socket_path;
static int channel = -1;

// No stdio streams: inside another program their variables lie in that program's memory, which may be gone.
static int read_line(void) {
    size_t used = 0;
    while (used < sizeof line - 1) {
        ssize_t count = read(0, line + used, 1);
        if (count <= 0) return 0;
        if (line[used] == '\n') {
            line[used] = 0;
            return 1;
        }
        used++;
    }
    return 0;
}

static void say(const char *text) {
    size_t length = strlen(text);
    memcpy(answer, text, length);
    answer[length] = '\n';
    if (write(1, answer, length + 1) < 0) _exit(2);
}

static void say_error(const char *call) {
    char text[128];
    snprintf(text, sizeof text, "error %s %s", call, strerrorname_np(errno));
    say(text);
}

static void say_outcome(const char *call, long result) {
    if (result < 0) say_error(call);
    else say("ok");
}

static size_t from_hexadecimal(const char *text) {
    size_t count = strlen(text) / 2;
    for (size_t index = 0; index < count; index++) {
        char digits[3] = {text[2 * index], text[2 * index + 1], 0};
        bytes[index] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return count;
}

static void connect_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (channel < 0) channel = socket(AF_UNIX, SOCK_STREAM, 0);
    strncpy(address.sun_path, socket_path, sizeof address.sun_path - 1);
    struct timeval bound = {.tv_sec = 60};
    setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &bound, sizeof bound);
    say_outcome("connect", connect(channel, (struct sockaddr *)&address, sizeof address));
}

static void receive(size_t count) {
    if (count > sizeof bytes) count = sizeof bytes;
    ssize_t got = recv(channel, bytes, count, 0);
    if (got < 0) {
        say_error("recv");
        return;
    }
    static char text[line_bytes];
    for (ssize_t index = 0; index < got; index++) snprintf(text + 2 * index, 3, "%02x", bytes[index]);
    text[2 * got] = 0;
    say(text);
}

static void send_as(int process, const char *text) {
    struct iovec part = {bytes, from_hexadecimal(text)};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_CREDENTIALS;
    header->cmsg_len = CMSG_LEN(sizeof(struct ucred));
    struct ucred credentials = {process, getuid(), getgid()};
    memcpy(CMSG_DATA(header), &credentials, sizeof credentials);
    say_outcome("sendmsg", sendmsg(channel, &message, MSG_NOSIGNAL));
}

// The bytes in one message with an end of a pair of sockets.
static void greet(const char *text) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0) return say_error("socketpair");
    struct iovec part = {bytes, from_hexadecimal(text)};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &pair[0], sizeof(int));
    say_outcome("sendmsg", sendmsg(channel, &message, MSG_NOSIGNAL));
    close(pair[0]);
    close(pair[1]);
}

static void execute(char *words) {
    char *list[32];
    int count = 0;
    for (char *word = strtok(words, " "); word && count < 31; word = strtok(NULL, " ")) list[count++] = word;
    list[count] = NULL;
    execv(list[0], list);
    _exit(126);
}

// Leaves input, output and socket to a child, and goes on as another program that hears nothing.
static void become(char *words) {
    int silence[2];
    if (pipe(silence) < 0) return say_error("pipe");
    int child = fork();
    if (child < 0) return say_error("fork");
    if (child == 0) return say("ok");
    dup2(silence[0], 0);
    dup2(open("/dev/null", O_WRONLY), 1);
    execute(words);
}

// The places that the kernel has noted of this process: the numbers of the fields are those of proc_pid_stat(5).
static int read_map(struct prctl_mm_map *map) {
    char text[4096];
    int file = open("/proc/self/stat", O_RDONLY);
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length < 0) return -1;
    text[length] = 0;
    uint64_t fields[64] = {0};
    int index = 3;
    for (char *word = strtok(strrchr(text, ')') + 2, " "); word && index < 64; word = strtok(NULL, " "))
        fields[index++] = strtoull(word, NULL, 10);
    *map = (struct prctl_mm_map){
        .start_code = fields[26], .end_code = fields[27], .start_stack = fields[28], .start_data = fields[45],
        .end_data = fields[46], .start_brk = fields[47], .brk = (uintptr_t)sbrk(0), .arg_start = fields[48],
        .arg_end = fields[49], .env_start = fields[50], .env_end = fields[51], .exe_fd = (uint32_t)-1};
    return 0;
}

static void set_map(struct prctl_mm_map *map) {
    say_outcome("prctl", prctl(PR_SET_MM, PR_SET_MM_MAP, map, sizeof *map, 0));
}

// Makes /proc/PID/environ of this process as long as a mapping that takes no memory. Needs no privilege.
static void lengthen_environment(size_t megabytes) {
    size_t size = megabytes << 20;
    char *start = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return say_error("mmap");
    struct prctl_mm_map map;
    if (read_map(&map) < 0) return say_error("read");
    map.env_start = (uintptr_t)start;
    map.env_end = (uintptr_t)start + size;
    set_map(&map);
}

// Makes /proc/PID/auxv of this process say that the kernel started it as a shielded program. Needs no privilege.
static void claim_to_be_shielded(void) {
    static uint64_t vector[128];
    int file = open("/proc/self/auxv", O_RDONLY);
    ssize_t length = read(file, vector, sizeof vector);
    close(file);
    if (length <= 0) return say_error("read");
    for (ssize_t index = 0; index < length / 16; index++)
        if (vector[2 * index] == AT_SECURE) vector[2 * index + 1] = 1;
    struct prctl_mm_map map;
    if (read_map(&map) < 0) return say_error("read");
    map.auxv = (void *)vector;
    map.auxv_size = (uint32_t)length;
    set_map(&map);
}

struct change {
    struct prctl_mm_map map;
    int error;
};

static int change_in_child(void *argument) {
    struct change *change = argument;
    long result = prctl(PR_SET_MM, PR_SET_MM_MAP, &change->map, sizeof change->map, 0);
    change->error = result < 0 ? errno : 0;
    return 0;
}

// Makes /proc/PID/exe of this process name another file: the memory of its own program goes, and a child that shares
// the memory, and is root in a user namespace of its own, tells the kernel where the "program" is now.
static void pretend_to_run(const char *path) {
    char own[4096], text[8192];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length < 0) return say_error("readlink");
    own[length] = 0;
    struct { uintptr_t start, end; } ranges[32];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(text, sizeof text, maps) && count < 32) {
        char *name = strchr(text, '/');
        if (!name) continue;
        name[strcspn(name, "\n")] = 0;
        if (strcmp(name, own) == 0) {
            sscanf(text, "%lx-%lx", &ranges[count].start, &ranges[count].end);
            count++;
        }
    }
    if (maps) fclose(maps);
    static struct change change;
    if (read_map(&change.map) < 0) return say_error("read");
    change.map.exe_fd = (uint32_t)open(path, O_RDONLY);
    static char stack[65536] __attribute__((aligned(16)));
    for (int each = 0; each < count; each++)
        munmap((void *)ranges[each].start, ranges[each].end - ranges[each].start);
    int child = clone(change_in_child, stack + sizeof stack, CLONE_VM | CLONE_NEWUSER | SIGCHLD, &change);
    if (child < 0) return say_error("clone");
    waitpid(child, NULL, 0);
    errno = change.error;
    say_outcome("prctl", change.error ? -1 : 0);
}

static int serve(void) {
    say("ready");
    while (read_line()) {
        char *rest = strchr(line, ' ');
        if (rest) *rest++ = 0;
        if (strcmp(line, "connect") == 0) connect_socket();
        else if (strcmp(line, "recv") == 0) receive(strtoul(rest, NULL, 10));
        else if (strcmp(line, "send") == 0)
            say_outcome("send", send(channel, bytes, from_hexadecimal(rest), MSG_NOSIGNAL));
        else if (strcmp(line, "greet") == 0) greet(rest);
        else if (strcmp(line, "forge") == 0) {
            char *text = strchr(rest, ' ') + 1;
            send_as(atoi(rest), text);
        } else if (strcmp(line, "exec") == 0) {
            say("ok");
            execute(rest);
        } else if (strcmp(line, "become") == 0) become(rest);
        else if (strcmp(line, "close") == 0) {
            close(channel);
            channel = -1;
            say("ok");
        } else if (strcmp(line, "pretend") == 0) pretend_to_run(rest);
        else if (strcmp(line, "environment") == 0) lengthen_environment(strtoul(rest, NULL, 10));
        else if (strcmp(line, "shielded") == 0) claim_to_be_shielded();
        else if (strcmp(line, "dumpable") == 0) say_outcome("prctl", prctl(PR_SET_DUMPABLE, atoi(rest), 0, 0, 0));
        else if (strcmp(line, "buffer") == 0) {
            char text[32];
            snprintf(text, sizeof text, "%lx", (unsigned long)(uintptr_t)bytes);
            say(text);
        } else say("error unknown");
    }
    return 0;
}

static int run_with_number(int number, unsigned user, char **words) {
    struct clone_args arguments = {
        .exit_signal = SIGCHLD, .set_tid = (uint64_t)(uintptr_t)&number, .set_tid_size = 1};
    long child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child < 0) {
        say_error("clone3");
        return 1;
    }
    if (child == 0) {
        if (setgroups(0, NULL) < 0 || setgid(user) < 0 || setuid(user) < 0) _exit(125);
        // After the change of the user, which would reset it.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execv(words[0], words);
        _exit(126);
    }
    waitpid((int)child, NULL, 0);
    return 0;
}

static int start(int count, char **words) {
    if (count > 4 && strcmp(words[1], "--number") == 0)
        return run_with_number(atoi(words[2]), (unsigned)atoi(words[3]), words + 4);
    if (count < 2) return 64;
    socket_path = words[1];
    if (count > 2) channel = atoi(words[2]);
    return serve();
}

#ifdef PRELOAD
__attribute__((constructor)) static void begin(int count, char **words) { _exit(start(count, words)); }
#else
int main(int count, char **words) { return start(count, words); }
#endif
