import LinuxCalls

/// Whether a time source disciplines the kernel's clock (design.md, The house).
package enum ClockStatus {
    /// True if NTP or a radio clock disciplines it; false also if the kernel does not tell (adjtimex(2)).
    package static func isSynchronised() -> Bool {
        var question = timex()
        let state = adjtimex(&question)
        return state >= 0 && state != TIME_ERROR && question.status & STA_UNSYNC == 0
    }
}
