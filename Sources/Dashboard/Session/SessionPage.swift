package import Pages
package import Policy

/// Starting a session by hand: POST `/session` with `durationMinutes` and `strictness` (SI-123 to SI-130).
package struct SessionPage: Page {
    package static let template = "session"

    package let title = "Start Now"
    package let durations: [Choice]
    package let modes: [Choice]
    package let devices: DevicesInUse
    /// Whether the asking device could say "This is my device": nothing is blocked on it.
    package let offersEnrolling: Bool
    /// What "Start Sleep Session" warns of.
    let nothingAllowed: NothingAllowed?
    /// By field name.
    package let errors: [String: String]

    /// `strictness` is the person's default, or what was sent; `minutes` outside the six selects none.
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
