// Makes one program's clocks run fast: LD_PRELOAD=clock.so DAY_CLOCK="RATE BASE START", three integers. At the instant
// BASE (CLOCK_REALTIME, in ns) its wall clock shows START (ns since 1970); from there all of its clocks run RATE times as
// fast as the machine's, and what it waits for comes RATE times as soon. CPU time stays CPU time. What the kernel times by
// itself (SO_RCVTIMEO, TCP's repetitions) keeps its pace; here, nothing waits for it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000, CLOCKS = CLOCK_BOOTTIME + 1, FILES = 1 << 16 };

// What a clock shows is start + rate * (the machine's - base).
static int64_t rate, base[CLOCKS], start[CLOCKS];
static unsigned char clock_of[FILES]; // of each timerfd

#define REAL(name) static __typeof__(&name) real_##name
REAL(clock_gettime);
REAL(timerfd_create);
REAL(timerfd_settime);
REAL(clock_nanosleep);
REAL(pthread_cond_timedwait);
REAL(pthread_cond_clockwait);
REAL(pthread_mutex_timedlock);
REAL(sem_timedwait);
REAL(epoll_pwait2);
REAL(ppoll);
REAL(pselect);

static int64_t number(const struct timespec *time) {
    // 140 years: what lies behind that is never.
    return (time->tv_sec < 4400000000 ? time->tv_sec : 4400000000) * SECOND + time->tv_nsec;
}

static struct timespec span(int64_t ns) { return (struct timespec){ns / SECOND, ns % SECOND}; }

static int is_fast(clockid_t clock) {
    return clock >= 0 && clock < CLOCKS && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

__attribute__((constructor)) static void begin(void) {
    if (rate) return;
#define FIND(name) real_##name = dlsym(RTLD_NEXT, #name)
    FIND(clock_gettime), FIND(timerfd_create), FIND(timerfd_settime), FIND(clock_nanosleep);
    FIND(pthread_cond_timedwait), FIND(pthread_cond_clockwait), FIND(pthread_mutex_timedlock), FIND(sem_timedwait);
    FIND(epoll_pwait2), FIND(ppoll), FIND(pselect);
    long speed, from, shown;
    const char *told = getenv("DAY_CLOCK");
    if (!told || sscanf(told, "%ld %ld %ld", &speed, &from, &shown) != 3 || speed < 1) abort();
    struct timespec now;
    real_clock_gettime(CLOCK_REALTIME, &now);
    int64_t since = number(&now) - from;
    for (clockid_t clock = 0; clock < CLOCKS; clock++) {
        if (!is_fast(clock) || real_clock_gettime(clock, &now)) continue;
        base[clock] = number(&now) - since;
        int is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
        start[clock] = is_wall ? shown : base[clock];
    }
    rate = speed;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!rate) begin();
    int result = real_clock_gettime(clock, time);
    if (!result && is_fast(clock)) *time = span(start[clock] + (number(time) - base[clock]) * rate);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *copy) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return copy ? *copy = now.tv_sec : now.tv_sec;
}

// How long, and until when, by the machine's clock. Rounded up: nobody wakes before the instant.
static struct timespec shorter(const struct timespec *time) { return span((number(time) + rate - 1) / rate); }

static struct timespec until(clockid_t clock, const struct timespec *time) {
    if (!is_fast(clock)) return *time;
    int64_t ahead = number(time) - start[clock], real = base[clock] + (ahead > 0 ? (ahead + rate - 1) / rate : ahead);
    return span(real > 0 ? real : 1);
}

int timerfd_create(int clock, int flags) {
    int file = real_timerfd_create(clock, flags);
    if (file >= FILES) abort();
    if (file >= 0) clock_of[file] = clock;
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    struct itimerspec set = {.it_interval = shorter(&new->it_interval), .it_value = shorter(&new->it_value)};
    if (flags & TFD_TIMER_ABSTIME && number(&new->it_value)) set.it_value = until(clock_of[file], &new->it_value);
    return real_timerfd_settime(file, flags, &set, old);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    struct timespec wait = flags & TIMER_ABSTIME ? until(clock, time) : shorter(time);
    int result = real_clock_nanosleep(clock, flags, &wait, left);
    if (result && left && !(flags & TIMER_ABSTIME)) *left = span(number(left) * rate);
    return result;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    errno = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    return errno ? -1 : 0;
}

int usleep(useconds_t us) {
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    return nanosleep(&time, NULL);
}

unsigned sleep(unsigned seconds) {
    struct timespec time = {seconds, 0}, left = {0};
    return nanosleep(&time, &left) ? left.tv_sec : 0;
}

// The C library's default. A program that means another clock calls pthread_cond_clockwait.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
    struct timespec end = until(CLOCK_REALTIME, time);
    return real_pthread_cond_timedwait(condition, mutex, &end);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
    struct timespec end = until(clock, time);
    return real_pthread_cond_clockwait(condition, mutex, clock, &end);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    struct timespec end = until(CLOCK_REALTIME, time);
    return real_pthread_mutex_timedlock(mutex, &end);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    struct timespec end = until(CLOCK_REALTIME, time);
    return real_sem_timedwait(semaphore, &end);
}

int epoll_pwait2(int set, struct epoll_event *events, int most, const struct timespec *time, const sigset_t *mask) {
    struct timespec wait = time ? shorter(time) : span(0);
    return real_epoll_pwait2(set, events, most, time ? &wait : NULL, mask);
}

// Milliseconds, or for ever if below 0.
static const struct timespec *of_ms(int ms, struct timespec *time) {
    *time = span((int64_t)ms * 1000000);
    return ms < 0 ? NULL : time;
}

int epoll_pwait(int set, struct epoll_event *events, int most, int ms, const sigset_t *mask) {
    struct timespec time;
    return epoll_pwait2(set, events, most, of_ms(ms, &time), mask);
}

int epoll_wait(int set, struct epoll_event *events, int most, int ms) { return epoll_pwait(set, events, most, ms, NULL); }

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *mask) {
    struct timespec wait = time ? shorter(time) : span(0);
    return real_ppoll(files, count, time ? &wait : NULL, mask);
}

int poll(struct pollfd *files, nfds_t count, int ms) {
    struct timespec time;
    return ppoll(files, count, of_ms(ms, &time), NULL);
}

int pselect(int count, fd_set *in, fd_set *out, fd_set *faults, const struct timespec *time, const sigset_t *mask) {
    struct timespec wait = time ? shorter(time) : span(0);
    return real_pselect(count, in, out, faults, time ? &wait : NULL, mask);
}

int select(int count, fd_set *in, fd_set *out, fd_set *faults, struct timeval *time) {
    struct timespec wait = time ? (struct timespec){time->tv_sec, time->tv_usec * 1000} : span(0);
    return pselect(count, in, out, faults, time ? &wait : NULL, NULL);
}
