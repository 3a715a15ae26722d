// SPDX-License-Identifier: Apache-2.0

// A file system of one file, which stops answering when it is told to. Needs root, to mount it as fusermount3 does for a user.
//
// usage: silent_files FOLDER FILE USER [allow_other]
//        silent_files --connect SOCKET
//
// The first form mounts it on the folder, with the file's content as `program`. Lines of its input: "hang", from where on it answers
// nothing; "count", for how many calls wait; "answer", which ends that, and answers what was asked meanwhile. At the end of its input it
// ends, and so does each call that waits for it. The second form is a program to have in that file: each line of its input is a number of connections that it makes and
// keeps. All that it needs is in its memory before. Each line is answered with one.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { root_node = 1, file_node = 2, request_bytes = 1 << 20, held_limit = 65536 };

static int device, content, user;
static struct stat facts;
static char request[request_bytes];
static char *held[held_limit];
static size_t held_count;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void reply(uint64_t unique, int error, const void *data, size_t bytes) {
    struct fuse_out_header head = {.len = (uint32_t)(sizeof head + bytes), .error = -error, .unique = unique};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)data, bytes}};
    // The caller may be gone.
    if (writev(device, parts, 2) < 0 && errno != ENOENT && errno != EINTR) fail("writev");
}

static struct fuse_attr attributes(uint64_t node) {
    struct fuse_attr attr = {.ino = node, .nlink = 1, .uid = (uint32_t)user, .gid = (uint32_t)user, .blksize = 4096};
    attr.mode = node == root_node ? S_IFDIR | 0755 : S_IFREG | 0755;
    if (node == file_node) attr.size = (uint64_t)facts.st_size;
    return attr;
}

static void answer(const char *bytes) {
    const struct fuse_in_header *head = (const void *)bytes;
    const char *rest = bytes + sizeof *head;
    static char data[request_bytes];
    switch (head->opcode) {
    case FUSE_INIT: {
        struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_readahead = 1 << 17,
                                    .max_background = 64, .congestion_threshold = 48, .max_write = 1 << 17};
        return reply(head->unique, 0, &out, sizeof out);
    }
    case FUSE_LOOKUP: {
        if (strcmp(rest, "program") != 0) return reply(head->unique, ENOENT, NULL, 0);
        struct fuse_entry_out out = {.nodeid = file_node, .entry_valid = 1000000, .attr_valid = 1000000, .attr = attributes(file_node)};
        return reply(head->unique, 0, &out, sizeof out);
    }
    case FUSE_GETATTR: {
        struct fuse_attr_out out = {.attr_valid = 1000000, .attr = attributes(head->nodeid)};
        return reply(head->unique, 0, &out, sizeof out);
    }
    case FUSE_OPEN:
    case FUSE_OPENDIR: {
        struct fuse_open_out out = {.open_flags = head->opcode == FUSE_OPEN ? FOPEN_KEEP_CACHE : 0};
        return reply(head->unique, 0, &out, sizeof out);
    }
    case FUSE_READ: {
        const struct fuse_read_in *in = (const void *)rest;
        ssize_t count = pread(content, data, in->size, (off_t)in->offset);
        return reply(head->unique, 0, data, count < 0 ? 0 : (size_t)count);
    }
    case FUSE_STATFS: {
        struct fuse_statfs_out out = {.st = {.bsize = 4096, .namelen = 255}};
        return reply(head->unique, 0, &out, sizeof out);
    }
    case FUSE_FLUSH:
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
    case FUSE_ACCESS: return reply(head->unique, 0, NULL, 0);
    default: return reply(head->unique, ENOSYS, NULL, 0);
    }
}

static int read_line(char *line, size_t size) {
    size_t used = 0;
    while (used < size - 1 && read(0, line + used, 1) == 1) {
        if (line[used] == '\n') {
            line[used] = 0;
            return 1;
        }
        used++;
    }
    return 0;
}

static void say(const char *text) {
    dprintf(1, "%s\n", text);
}

static void serve(void) {
    char line[64];
    int hangs = 0;
    while (1) {
        struct pollfd ready[] = {{.fd = 0, .events = POLLIN}, {.fd = device, .events = POLLIN}};
        if (poll(ready, 2, -1) < 0) fail("poll");
        if (ready[0].revents) {
            if (!read_line(line, sizeof line)) return;
            if (strcmp(line, "count") == 0) {
                snprintf(line, sizeof line, "%zu", held_count);
                say(line);
                continue;
            }
            hangs = strcmp(line, "hang") == 0;
            if (!hangs) {
                for (size_t index = 0; index < held_count; index++) {
                    answer(held[index]);
                    free(held[index]);
                }
                held_count = 0;
            }
            say("ok");
        }
        if (!ready[1].revents) continue;
        ssize_t count = read(device, request, sizeof request);
        // Not mounted any more, or the caller gave up before it was read.
        if (count < 0 && errno == ENODEV) return;
        if (count < 0) continue;
        uint32_t opcode = ((struct fuse_in_header *)request)->opcode;
        if (opcode == FUSE_INTERRUPT || opcode == FUSE_FORGET || opcode == FUSE_BATCH_FORGET) continue;
        if (!hangs) {
            answer(request);
        } else if (held_count < held_limit) {
            held[held_count] = malloc((size_t)count + 1);
            memcpy(held[held_count], request, (size_t)count);
            held[held_count++][count] = 0;
        }
    }
}

static int connects(const char *path) {
    struct rlimit most;
    getrlimit(RLIMIT_NOFILE, &most);
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
    if (mlockall(MCL_CURRENT) < 0) fail("mlockall");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    char line[64];
    say("ready");
    while (read_line(line, sizeof line)) {
        int made = 0;
        for (int wanted = atoi(line); made < wanted; made++) {
            int channel = socket(AF_UNIX, SOCK_STREAM, 0);
            if (channel < 0 || connect(channel, (struct sockaddr *)&address, sizeof address) < 0) break;
        }
        snprintf(line, sizeof line, "%d", made);
        say(line);
    }
    return 0;
}

int main(int count, char **words) {
    if (count == 3 && strcmp(words[1], "--connect") == 0) return connects(words[2]);
    if (count < 4) return 2;
    user = atoi(words[3]);
    content = open(words[2], O_RDONLY | O_CLOEXEC);
    if (content < 0 || fstat(content, &facts) < 0) fail(words[2]);
    device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (device < 0) fail("/dev/fuse");
    char options[128];
    snprintf(options, sizeof options, "fd=%d,rootmode=40755,user_id=%d,group_id=%d%s", device, user, user,
             count > 4 ? ",allow_other" : "");
    if (mount("silent", words[1], "fuse", MS_NOSUID | MS_NODEV, options) < 0) fail("mount");
    say("ready");
    serve();
    return 0;
}
