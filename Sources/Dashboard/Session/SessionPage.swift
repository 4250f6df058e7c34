package import Pages
package import Policy

/// Starts a manual session: POST `/session` with `durationMinutes` and `strictness` (SI-123 to SI-130).
package struct SessionPage: Page {
    package static let template = "session"

    package let title = "Start Now"
    package let durations: [Choice]
    package let modes: [Choice]
    package let devices: DevicesInUse
    /// Whether to offer "This is my device", because nothing is blocked on the asking device.
    package let offersEnrolling: Bool
    /// The warning beside "Start Sleep Session".
    let nothingAllowed: NothingAllowed?
    /// By field name.
    package let errors: [String: String]

    /// `strictness` is the person's default, or was sent; `minutes` other than the six durations select none.
    package init(
        person: Person, strictness: StrictnessMode?, minutes: Int? = 60, devices: DevicesInUse,
        isEnrolled: Bool,
        errors: [String: String] = [:]
    ) {
        nothingAllowed = NothingAllowed(person, from: .session)
        durations = zip(SleepSession.durations, ["30m", "1h", "2h", "4h", "6h", "8h"]).map {
            Choice(String($0), $1, isSelected: $0 == minutes)
        }
        modes = Choice.strictness(strictness)
        self.devices = devices
        offersEnrolling = !isEnrolled
        self.errors = errors
    }
}
