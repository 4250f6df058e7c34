// What Swift's Glibc does not show: variadic calls, and the kernel's own headers.
#pragma once

#include <linux/neighbour.h>
#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/netfilter/nf_conntrack_tcp.h>
#include <linux/netfilter/nfnetlink_conntrack.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/timex.h>

/// Whether permitted capabilities survive the change from root to another user (prctl(2)).
int linux_keep_capabilities(int keep);

/// Sets permitted, effective and inheritable capabilities of the calling thread to `bits` (capset(2)).
int linux_set_capabilities(unsigned long long bits);

/// The effective capabilities of the calling thread; 0 when the kernel will not say (capget(2)).
unsigned long long linux_effective_capabilities(void);

/// Makes effective what is permitted, and lets other processes of this user look at this one, which they may not after a
/// program file with capabilities was started (capabilities(7), prctl(2)). Does nothing where all of it is effective.
void linux_use_file_capabilities(void);

/// A datagram: the address that it comes from or goes to, and its bytes.
struct linux_datagram {
    struct sockaddr_storage peer;
    socklen_t peer_length;
    /// Before reading, the room in bytes. Afterwards the datagram's size; 0: it is larger than the room.
    unsigned int size;
    unsigned char *bytes;
};

enum { LINUX_MOST_DATAGRAMS = 32 };

/// Reads the datagrams that are there, without waiting, into the first ones of `datagrams`: `count` of them, and
/// LINUX_MOST_DATAGRAMS, at the most (recvmmsg(2)). Returns how many; 0 also after an error.
int linux_receive_datagrams(int socket, struct linux_datagram *datagrams, int count);

/// Sends at most LINUX_MOST_DATAGRAMS datagrams (sendmmsg(2)). Leaves out a datagram that the kernel refuses, for want of
/// a route or by a firewall. If the socket has no room, leaves out the rest.
void linux_send_datagrams(int socket, struct linux_datagram *datagrams, int count);

/// Sends a datagram with descriptors beside it, 253 at the most (unix(7), SCM_RIGHTS); its size, or -1.
long linux_send_with_descriptors(
    int socket, const struct sockaddr *to, socklen_t length, const char *text, size_t size,
    const int *descriptors, size_t count);

/// Moves bytes between a socket and a pipe without waiting (splice(2)). Returns how many; 0 at the end of what comes;
/// negative where none waits or none is taken, and after an error.
long linux_splice(int from, int to, size_t most);

/// Makes a pipe that waits for nothing, and holds `bytes` where the kernel permits it (pipe(2), fcntl(2)). `ends` are its
/// output and its input. Returns 0, or -1 after an error.
int linux_pipe(int ends[2], int bytes);

/// Sets the calling thread's ambient capabilities, which programs that it starts inherit, to `bits` (capabilities(7));
/// they must be permitted and inheritable.
int linux_set_ambient_capabilities(unsigned long long bits);

/// A file in memory, closed in programs that are started; negative where there is none (memfd_create(2)).
int linux_memory_file(void);

/// Starts a program with three files as its standard ones, no other open file, no environment, signals as at the
/// beginning, and a process group of its own, so that a Ctrl-C does not reach it. Returns 0 or an error number.
int linux_start(const char *path, char *const arguments[], int input, int output, int error, int *process);

/// Waits for a process, at most some milliseconds, then ends it. Returns its wait status, or -1 if it was ended.
int linux_wait(int process, int milliseconds);

/// Lets all threads take memory from one place, where each uses what another has freed (mallopt(3), M_ARENA_MAX). To be
/// called before there is a second thread.
void linux_share_memory(void);

/// Gives freed memory back to the kernel where more than `spare` bytes of it wait for use (mallinfo(3), malloc_trim(3));
/// 1 where some was given back, else 0.
int linux_return_memory(size_t spare);
