// SPDX-License-Identifier: Apache-2.0

#include "CKeychainPlatform.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// In C because the Glibc module omits accept4. accept and fcntl would leave a moment in which another thread may start a
// program that inherits the connection.
int ckp_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

// In C because the macros for control messages (CMSG_*) compute, so Swift cannot import them.
//
// Reads bytes of one process: with SO_PASSCRED the kernel never joins bytes of different senders in one result. If the
// message has descriptors, the caller gets one of them and must close it. All others are closed, because they would
// fill the descriptor table.
ssize_t ckp_receive(int socket, void *buffer, size_t capacity, int flags, ckp_sender *sender, int *descriptor) {
    // Room for credentials and for the most descriptors of one message (SCM_MAX_FD, 253). The kernel drops and closes
    // any excess itself.
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(253 * sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct iovec vector = { .iov_base = buffer, .iov_len = capacity };
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes,
    };
    memset(sender, 0, sizeof *sender);
    if (descriptor) *descriptor = -1;
    ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | flags);
    if (count < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS && header->cmsg_len >= CMSG_LEN(sizeof(struct ucred))) {
            struct ucred credentials;
            memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
            *sender = (ckp_sender){ true, credentials.pid, credentials.uid, credentials.gid };
        } else if (header->cmsg_type == SCM_RIGHTS) {
            size_t descriptors = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t index = 0; index < descriptors; index++) {
                int received;
                memcpy(&received, CMSG_DATA(header) + index * sizeof received, sizeof received);
                if (descriptor && descriptors == 1) *descriptor = received;
                else close(received);
            }
        }
    }
    return count;
}
