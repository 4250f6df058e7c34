#define _GNU_SOURCE
#include "LinuxCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

void linux_use_file_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
    if (syscall(SYS_capget, &header, data) != 0) return;
    if (data[0].effective == data[0].permitted && data[1].effective == data[1].permitted) return;
    for (int half = 0; half < 2; half++) data[half].effective = data[half].permitted;
    if (syscall(SYS_capset, &header, data) == 0) prctl(PR_SET_DUMPABLE, 1UL, 0UL, 0UL, 0UL);
}

static int prepare(struct linux_datagram *datagrams, int count, struct mmsghdr *messages, struct iovec *parts) {
    if (count > LINUX_MOST_DATAGRAMS) count = LINUX_MOST_DATAGRAMS;
    for (int i = 0; i < count; i++) {
        parts[i] = (struct iovec){datagrams[i].bytes, datagrams[i].size};
        messages[i].msg_hdr = (struct msghdr){
            .msg_name = &datagrams[i].peer, .msg_namelen = datagrams[i].peer_length, .msg_iov = &parts[i], .msg_iovlen = 1};
    }
    return count;
}

int linux_receive_datagrams(int socket, struct linux_datagram *datagrams, int count) {
    struct mmsghdr messages[LINUX_MOST_DATAGRAMS];
    struct iovec parts[LINUX_MOST_DATAGRAMS];
    for (int i = 0; i < count; i++) datagrams[i].peer_length = sizeof datagrams[i].peer;
    count = prepare(datagrams, count, messages, parts);
    int got = recvmmsg(socket, messages, (unsigned int)count, MSG_DONTWAIT, NULL);
    for (int i = 0; i < got; i++) {
        datagrams[i].peer_length = messages[i].msg_hdr.msg_namelen;
        datagrams[i].size = messages[i].msg_hdr.msg_flags & MSG_TRUNC ? 0 : messages[i].msg_len;
    }
    return got > 0 ? got : 0;
}

void linux_send_datagrams(int socket, struct linux_datagram *datagrams, int count) {
    struct mmsghdr messages[LINUX_MOST_DATAGRAMS];
    struct iovec parts[LINUX_MOST_DATAGRAMS];
    count = prepare(datagrams, count, messages, parts);
    for (int sent = 0; sent < count;) {
        int more = sendmmsg(socket, messages + sent, (unsigned int)(count - sent), MSG_DONTWAIT);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0 && (errno == EAGAIN || errno == EBADF)) return;
        sent += more > 0 ? more : 1;
    }
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

long linux_splice(int from, int to, size_t most) {
    long moved;
    do moved = splice(from, NULL, to, NULL, most, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    while (moved < 0 && errno == EINTR);
    return moved;
}

int linux_pipe(int ends[2], int bytes) {
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return -1;
    fcntl(ends[1], F_SETPIPE_SZ, bytes);
    return 0;
}

int linux_set_ambient_capabilities(unsigned long long bits) {
    if (prctl(PR_CAP_AMBIENT, (unsigned long)PR_CAP_AMBIENT_CLEAR_ALL, 0UL, 0UL, 0UL) != 0) return -1;
    for (unsigned long capability = 0; capability < 64; capability++) {
        if (!(bits >> capability & 1)) continue;
        if (prctl(PR_CAP_AMBIENT, (unsigned long)PR_CAP_AMBIENT_RAISE, capability, 0UL, 0UL) != 0) return -1;
    }
    return 0;
}

int linux_memory_file(void) { return memfd_create("sleep-inducer", MFD_CLOEXEC); }

int linux_start(const char *path, char *const arguments[], int input, int output, int error, int *process) {
    char *const environment[] = {NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&files, input, 0);
    posix_spawn_file_actions_adddup2(&files, output, 1);
    posix_spawn_file_actions_adddup2(&files, error, 2);
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    pid_t started = 0;
    int failure = posix_spawn(&started, path, &files, &attributes, arguments, environment);
    *process = started;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failure;
}

int linux_wait(int process, int milliseconds) {
    int status = 0;
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    if (handle >= 0) {
        struct pollfd end = {handle, POLLIN, 0};
        int ended;
        do ended = poll(&end, 1, milliseconds);
        while (ended < 0 && errno == EINTR);
        close(handle);
        if (ended == 0) {
            kill(process, SIGKILL);
            while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
            return -1;
        }
    }
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return status;
}

void linux_share_memory(void) {
    mallopt(M_ARENA_MAX, 1);
}

int linux_return_memory(size_t spare) {
    struct mallinfo2 memory = mallinfo2();
    return memory.fordblks > spare ? malloc_trim(0) : 0;
}
