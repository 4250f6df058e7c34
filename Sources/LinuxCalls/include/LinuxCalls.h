// What Swift's Glibc does not show: variadic calls, and the kernel's own headers.
#pragma once

#include <linux/neighbour.h>
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

/// Sends a datagram with descriptors beside it, 253 at the most (unix(7), SCM_RIGHTS); its size, or -1.
long linux_send_with_descriptors(
    int socket, const struct sockaddr *to, socklen_t length, const char *text, size_t size,
    const int *descriptors, size_t count);
