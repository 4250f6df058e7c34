#define _GNU_SOURCE
#include "LinuxCalls.h"

#include <linux/capability.h>
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
