package import Pages
package import Policy

/// Starts a manual session: POST `/session` with `durationMinutes` and `strictness`.
package struct SessionPage: Page {
    package static let template = "session"

    package let title = "Start Now"
    /// `Until 07:00`; nil if no night is near.
    let morning: Choice?
    package let durations: [Choice]
    /// The person, if it is not the reader.
    let otherName: String?
    package let modes: [Choice]
    package let devices: DevicesInUse
    /// Whether to offer "This is my device", because nothing is blocked on the asking device.
    package let offersEnrolling: Bool
    /// The warning beside "Start Sleep Session".
    let nothingAllowed: NothingAllowed?
    /// By field name.
    package let errors: [String: String]

    /// - Parameters:
    ///   - strictness: the person's default, or what was sent.
    ///   - duration: the value of the ticked duration; another one ticks none.
    ///   - morning: `07:00`: when the night that is near ends.
    package init(
        person: Person, strictness: StrictnessMode?, duration: String? = "60", morning: String? = nil,
        otherName: String? = nil, devices: DevicesInUse, isEnrolled: Bool, errors: [String: String] = [:]
    ) {
        self.morning = morning.map {
            Choice(SessionForm.morning, "Until \($0)", isSelected: duration == SessionForm.morning)
        }
        self.otherName = otherName
        nothingAllowed = NothingAllowed(person, from: .session)
        durations = zip(SleepSession.durations, ["30m", "1h", "2h", "4h", "6h", "8h"]).map {
            Choice(String($0), $1, isSelected: String($0) == duration)
        }
        modes = Choice.strictness(strictness)
        self.devices = devices
        offersEnrolling = !isEnrolled
        self.errors = errors
    }
}
