// The least a DNS responder can do: recvmmsg, one fixed A record behind the question, sendmmsg. One thread, no look-up.
// It is the yardstick for blocked answers. Usage: bare PORT (on 127.0.0.1)
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BATCH = 32, SIZE = 2048 };

static unsigned char packets[BATCH][SIZE];
static struct sockaddr_in peers[BATCH];
static struct iovec parts[BATCH];
static struct mmsghdr received[BATCH], replies[BATCH];

// Turns a query into its answer in place; 0 if it is no query.
static size_t answer(unsigned char *packet, size_t length) {
    static const unsigned char record[16] = {0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 10, 0, 4, 127, 0, 0, 1};
    size_t end = 12;
    if (length < 17 || packet[2] & 0x80) return 0;
    while (end < length && packet[end]) end += packet[end] + 1;
    end += 5;
    if (end > length || end + sizeof record > SIZE) return 0;
    packet[2] |= 0x80;
    packet[3] = 0x80;
    memset(packet + 4, 0, 8);
    packet[5] = packet[7] = 1;
    memcpy(packet + end, record, sizeof record);
    return end + sizeof record;
}

int main(int count, char **words) {
    if (count != 2) return fprintf(stderr, "usage: bare PORT\n"), 2;
    struct sockaddr_in local = {
        .sin_family = AF_INET, .sin_port = htons(atoi(words[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(fd, (void *)&local, sizeof local)) return perror("bare"), 1;
    for (;;) {
        for (int i = 0; i < BATCH; i++) {
            parts[i] = (struct iovec){packets[i], SIZE};
            received[i].msg_hdr = (struct msghdr){
                .msg_name = &peers[i], .msg_namelen = sizeof peers[i], .msg_iov = &parts[i], .msg_iovlen = 1};
        }
        int got = recvmmsg(fd, received, BATCH, MSG_WAITFORONE, NULL), ready = 0;
        for (int i = 0; i < got; i++) {
            size_t length = answer(packets[i], received[i].msg_len);
            if (!length) continue;
            parts[i].iov_len = length;
            replies[ready++].msg_hdr = received[i].msg_hdr;
        }
        for (int sent = 0, more; sent < ready; sent += more)
            if ((more = sendmmsg(fd, replies + sent, ready - sent, 0)) <= 0) break;
    }
}
