// Opens event streams and notes when each event arrives. One thread and no buffers, so that it stays out of the way of the
// server beside it. Usage: watch PORT COUNT SECONDS MARKER < the request's text
//
// Says "open" once every stream has begun, and watches. Then it writes a line for each event that bears the marker: the
// nanoseconds since the watching began. A stream that ends makes it fail.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 16, ADDRESSES = 8 };

static char request[65536], bytes[65536];

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

// From one of several addresses, because an address has some 28,000 ports.
static int open_stream(int port, int number, size_t length) {
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + number % ADDRESSES)};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1, stream = socket(AF_INET, SOCK_STREAM, 0);
    if (stream < 0) fail("socket");
    setsockopt(stream, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
    if (bind(stream, (struct sockaddr *)&from, sizeof from) < 0) fail("bind");
    if (connect(stream, (struct sockaddr *)&to, sizeof to) < 0) fail("connect");
    if (write(stream, request, length) != (ssize_t)length) fail("write");
    return stream;
}

static void await_head(int stream) {
    ssize_t count = recv(stream, bytes, 12, MSG_PEEK | MSG_WAITALL);
    if (count != 12 || memcmp(bytes, "HTTP/1.1 200", 12)) fail("the stream did not begin");
}

int main(int count, char **words) {
    if (count != 5) return 2;
    int port = atoi(words[1]), viewers = atoi(words[2]), seconds = atoi(words[3]);
    size_t length = fread(request, 1, sizeof request, stdin), marker = strlen(words[4]);
    int selector = epoll_create1(0), *streams = calloc(viewers, sizeof *streams);
    long arrivals = 0, room = (long)viewers * (seconds + 2), *arrived = calloc(room, sizeof *arrived);
    for (int number = 0; number < viewers; number++) {
        streams[number] = open_stream(port, number, length);
        if (number >= AT_ONCE) await_head(streams[number - AT_ONCE]);
    }
    for (int number = 0; number < viewers; number++) {
        await_head(streams[number]);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = streams[number]};
        if (epoll_ctl(selector, EPOLL_CTL_ADD, streams[number], &event) < 0) fail("epoll_ctl");
    }
    puts("open");
    fflush(stdout);
    long begun = now();
    while (now() < begun + seconds * 1000000000L) {
        struct epoll_event ready[256];
        int some = epoll_wait(selector, ready, 256, 100);
        for (int index = 0; index < some; index++) {
            ssize_t got = recv(ready[index].data.fd, bytes, sizeof bytes, MSG_DONTWAIT);
            if (got < 0 && errno == EAGAIN) continue;
            if (got <= 0) fail("a viewer was dropped");
            if (arrivals < room && memmem(bytes, got, words[4], marker)) arrived[arrivals++] = now() - begun;
        }
    }
    for (long index = 0; index < arrivals; index++) printf("%ld\n", arrived[index]);
}
