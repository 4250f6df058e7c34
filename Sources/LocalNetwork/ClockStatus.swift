import LinuxCalls

/// Whether the kernel's clock was set by somebody who knows the time (design.md, The house).
package enum ClockStatus {
    /// True once NTP or a radio clock disciplines it; false also when the kernel will not say (adjtimex(2)).
    package static func isSynchronised() -> Bool {
        var question = timex()
        let state = adjtimex(&question)
        return state >= 0 && state != TIME_ERROR && question.status & STA_UNSYNC == 0
    }
}
