import Glibc
import LinuxCalls
import Synchronization

/// Whether a time source disciplines the kernel's clock (design.md, The house).
package enum ClockStatus {
    /// True if NTP or a radio clock disciplines it; false also if the kernel does not tell (adjtimex(2)).
    package static func isSynchronised() -> Bool {
        var question = timex()
        let state = adjtimex(&question)
        return state >= 0 && state != TIME_ERROR && question.status & STA_UNSYNC == 0
    }

    /// Gives a function that says the same, but asks the kernel at most once a second: every reading of the household's
    /// clock wants to know it.
    package static func lately() -> @Sendable () -> Bool {
        let known = Mutex((isSynchronised: false, end: -Double.infinity))
        return {
            known.withLock { known in
                let now = uptime
                if now >= known.end { known = (isSynchronised(), now + 1) }
                return known.isSynchronised
            }
        }
    }

    /// Seconds since the machine was started, those in which it was suspended included.
    package static var uptime: Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Until this machine's clock shows another second. Where the house believes that clock, nights begin and end then,
    /// and their countdowns go on. All who wait without hurry wait for it too, so that they share one awakening.
    package static var untilNextSecond: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .nanoseconds(1_000_000_000 - time.tv_nsec)
    }
}
