// A test steps through a week of one program: LD_PRELOAD=stepped_time.so STEPPED_TIME=FILE. The file holds one native 64-bit
// number, the nanoseconds by which the program's uptime is ahead of the machine's; a second one is added to its wall clock.
// When the first one grows, all that the program waits for until then is due at once, as if that time had passed. Between two
// steps its clocks run like the machine's. CPU time stays CPU time, and the kernel's clock counts as synchronised.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000, SLICE = 10000000, FILES = 1 << 16 };

static const volatile int64_t none[2], *told = none;
// Of each timer: its clock, and when it is due by the shown one; 0 if it is not set.
static struct { clockid_t clock; int64_t due; } timers[FILES];
static int highest;
static pthread_mutex_t setting = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) static __typeof__(&name) real_##name
REAL(clock_gettime);
REAL(timerfd_create);
REAL(timerfd_settime);
REAL(clock_nanosleep);
REAL(pthread_cond_clockwait);
REAL(sem_timedwait);
REAL(epoll_pwait2);
REAL(ppoll);

static int64_t number(const struct timespec *time) {
    return (time->tv_sec < 4400000000 ? time->tv_sec : 4400000000) * SECOND + time->tv_nsec;
}

static struct timespec span(int64_t ns) { return (struct timespec){ns / SECOND, ns % SECOND}; }

static int64_t ahead(clockid_t clock) {
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) return told[0] + told[1];
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0 ? 0 : told[0];
}

static int64_t shown(clockid_t clock) {
    struct timespec now;
    real_clock_gettime(clock, &now);
    return number(&now) + ahead(clock);
}

// Sets a timer by the machine's clock; what is past already is due in a nanosecond.
static int set(int file) {
    int64_t due = timers[file].due - ahead(timers[file].clock);
    struct itimerspec real = {.it_value = span(due > 0 ? due : 1)};
    return real_timerfd_settime(file, TFD_TIMER_ABSTIME, &real, NULL);
}

static void *follow(void *unused) {
    (void)unused;
    for (int64_t last = told[0];; usleep(1000)) {
        if (told[0] == last) continue;
        last = told[0];
        pthread_mutex_lock(&setting);
        for (int file = 0; file <= highest; file++)
            if (timers[file].due) set(file);
        pthread_mutex_unlock(&setting);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    if (real_clock_gettime) return;
#define FIND(name) real_##name = dlsym(RTLD_NEXT, #name)
    FIND(clock_gettime), FIND(timerfd_create), FIND(timerfd_settime), FIND(clock_nanosleep);
    FIND(pthread_cond_clockwait), FIND(sem_timedwait), FIND(epoll_pwait2), FIND(ppoll);
    int file = open(getenv("STEPPED_TIME"), O_RDONLY | O_CLOEXEC);
    void *found = mmap(0, sizeof none, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (found == MAP_FAILED) abort();
    told = found;
    pthread_t thread;
    if (pthread_create(&thread, NULL, follow, NULL)) abort();
    pthread_detach(thread);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!real_clock_gettime) begin();
    int result = real_clock_gettime(clock, time);
    if (!result) *time = span(number(time) + ahead(clock));
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

int adjtimex(struct timex *state) {
    state->status = 0;
    return TIME_OK;
}

int timerfd_create(int clock, int flags) {
    int file = real_timerfd_create(clock, flags);
    if (file < 0) return file;
    if (file >= FILES) abort();
    pthread_mutex_lock(&setting);
    timers[file].clock = clock, timers[file].due = 0;
    if (file > highest) highest = file;
    pthread_mutex_unlock(&setting);
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    if (new->it_interval.tv_sec || new->it_interval.tv_nsec || old) abort(); // nothing here uses it
    pthread_mutex_lock(&setting);
    int64_t wait = number(&new->it_value);
    timers[file].due = !wait ? 0 : flags & TFD_TIMER_ABSTIME ? wait : wait + shown(timers[file].clock);
    int result = wait ? set(file) : real_timerfd_settime(file, 0, new, NULL);
    pthread_mutex_unlock(&setting);
    return result;
}

int close(int file) {
    static __typeof__(&close) real_close;
    if (!real_close) real_close = dlsym(RTLD_NEXT, "close");
    if (file >= 0 && file < FILES) timers[file].due = 0;
    return real_close(file);
}

// Waits are cut into slices, so that a step ends them. Here is how much of one is left; below 1 if nothing is.
static int64_t left(clockid_t clock, int64_t due) {
    int64_t left = due - shown(clock);
    return left < SLICE ? left : SLICE;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    int64_t due = number(time) + (flags & TIMER_ABSTIME ? 0 : shown(clock)), now;
    while ((now = left(clock, due)) > 0) {
        struct timespec slice = span(now);
        int result = real_clock_nanosleep(CLOCK_MONOTONIC, 0, &slice, NULL);
        if (!result) continue;
        if (rest && !(flags & TIMER_ABSTIME)) *rest = span(due - shown(clock));
        return result;
    }
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
    errno = clock_nanosleep(CLOCK_MONOTONIC, 0, time, rest);
    return errno ? -1 : 0;
}

int usleep(useconds_t us) {
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    return real_clock_nanosleep ? nanosleep(&time, NULL) : 0;
}

unsigned sleep(unsigned seconds) {
    struct timespec time = {seconds, 0}, rest = {0};
    return nanosleep(&time, &rest) ? rest.tv_sec : 0;
}

// A slice that is over wakes the caller, which looks at what it waits for and waits again.
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
    int64_t now = left(clock, number(time));
    if (now <= 0) return ETIMEDOUT;
    struct timespec end;
    real_clock_gettime(CLOCK_MONOTONIC, &end);
    end = span(number(&end) + now);
    int result = real_pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &end);
    return result == ETIMEDOUT && shown(clock) < number(time) ? 0 : result;
}

// The C library's default. A program that means another clock calls pthread_cond_clockwait.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
    return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, time);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    for (int64_t now;;) {
        if ((now = left(CLOCK_REALTIME, number(time))) <= 0) return errno = ETIMEDOUT, -1;
        struct timespec end;
        real_clock_gettime(CLOCK_REALTIME, &end);
        end = span(number(&end) + now);
        if (!real_sem_timedwait(semaphore, &end)) return 0;
        if (errno != ETIMEDOUT) return -1;
    }
}

// Repeats a wait for files slice by slice until something came or the time is over; for ever if there is no time.
#define SLICED(time, call)                                                                          \
    int64_t due = (time) ? number(time) + shown(CLOCK_MONOTONIC) : INT64_MAX;                       \
    for (;;) {                                                                                      \
        int64_t now = left(CLOCK_MONOTONIC, due);                                                   \
        struct timespec slice = span(now > 0 ? now : 0);                                            \
        int found = call;                                                                           \
        if (found || now <= 0) return found;                                                        \
    }

int epoll_pwait2(int set, struct epoll_event *events, int most, const struct timespec *time, const sigset_t *mask) {
    if (!time) return real_epoll_pwait2(set, events, most, NULL, mask);
    SLICED(time, real_epoll_pwait2(set, events, most, &slice, mask))
}

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
    if (!time) return real_ppoll(files, count, NULL, mask);
    SLICED(time, real_ppoll(files, count, &slice, mask))
}

int poll(struct pollfd *files, nfds_t count, int ms) {
    struct timespec time;
    return ppoll(files, count, of_ms(ms, &time), NULL);
}
