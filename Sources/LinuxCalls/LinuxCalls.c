#define _GNU_SOURCE
#include "LinuxCalls.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int linux_keep_capabilities(int keep) {
    return prctl(PR_SET_KEEPCAPS, (unsigned long)keep, 0UL, 0UL, 0UL);
}

int linux_set_capabilities(unsigned long long bits) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    unsigned int low = (unsigned int)bits, high = (unsigned int)(bits >> 32);
    struct __user_cap_data_struct data[2] = {{low, low, low}, {high, high, high}};
    return (int)syscall(SYS_capset, &header, data);
}

unsigned long long linux_effective_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
    if (syscall(SYS_capget, &header, data) != 0) return 0;
    return ((unsigned long long)data[1].effective << 32) | data[0].effective;
}

long linux_send_with_descriptors(
    int socket, const struct sockaddr *to, socklen_t length, const char *text, size_t size,
    const int *descriptors, size_t count) {
    enum { most = 253 };
    union {
        char bytes[CMSG_SPACE(most * sizeof(int))];
        struct cmsghdr aligned;
    } space;
    struct iovec part = {(void *)text, size};
    struct msghdr message = {.msg_name = (void *)to, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
    if (count > most) return errno = EINVAL, -1;
    if (count > 0) {
        memset(&space, 0, sizeof space);
        message.msg_control = space.bytes;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}
