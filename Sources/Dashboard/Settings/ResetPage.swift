import Pages

/// The second step of Emergency Reset: POST `/settings/reset` with `confirm=reset`.
package struct ResetPage: Page {
    package static let template = "reset"

    package let title = "Emergency Reset"
    /// Whether a session runs that a reset would end.
    package let isSessionRunning: Bool
    /// `07:00`, when the running session would have ended.
    package let endsAt: String?
    /// Whether the session is a night, which then counts as slept.
    package let isNight: Bool
    package let error: String?

    package init(
        isSessionRunning: Bool, endsAt: String? = nil, isNight: Bool = false, error: String? = nil
    ) {
        self.isSessionRunning = isSessionRunning
        self.endsAt = endsAt
        self.isNight = isNight
        self.error = error
    }
}
