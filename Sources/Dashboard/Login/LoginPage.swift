import Pages

/// POST `/login` with `passcode`, and `next`, the path to open afterwards.
package struct LoginPage: Page {
    package static let template = "login"

    package let title = "Log in"
    package let error: String?
    package let next: String?
    /// How long the address must wait; the button is then disabled.
    package let waitSeconds: Int?
    /// Whether the asking device belongs to a person, who reads their own rules without the passcode (design.md,
    /// Contract).
    let hasOwnPages: Bool
    /// Whether somebody with the passcode confirmed the device. A device that only enrolled itself shows no rules.
    let isConfirmed: Bool
    /// What became of a form that was sent without a login.
    let unsent: String?

    package init(
        error: String? = nil, next: String? = nil, waitSeconds: Int? = nil, hasOwnPages: Bool = false,
        isConfirmed: Bool = true, unsent: String? = nil
    ) {
        self.unsent = unsent
        self.error = error
        self.next = next
        self.waitSeconds = waitSeconds
        self.hasOwnPages = hasOwnPages
        self.isConfirmed = isConfirmed
    }
}
