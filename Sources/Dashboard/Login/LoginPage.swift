import Pages

/// POST `/login` with `passcode`, and `next`, the path to go on to.
package struct LoginPage: Page {
    package static let template = "login"

    package let title = "Log in"
    package let error: String?
    package let next: String?
    /// While the address has to wait; the button is then disabled.
    package let waitSeconds: Int?
    /// Whether the asking device is somebody's, who reads their own rules without the passcode (design.md, Contract).
    let hasOwnPages: Bool
    /// Whether somebody with the passcode said so; a device that enrolled itself shows no rules.
    let isConfirmed: Bool

    package init(
        error: String? = nil, next: String? = nil, waitSeconds: Int? = nil, hasOwnPages: Bool = false,
        isConfirmed: Bool = true
    ) {
        self.error = error
        self.next = next
        self.waitSeconds = waitSeconds
        self.hasOwnPages = hasOwnPages
        self.isConfirmed = isConfirmed
    }
}
