package import Pages

/// Set-up, once: POST `/setup` with `code`, `passcode`, `timeZone` and `enroll` (`on` or absent).
package struct SetupPage: Page {
    package static let template = "setup"

    package let title = "Set up"
    let progress = SetupProgress(at: nil)
    package let code: String
    package let zones: [Choice]
    /// Whether the script may choose the browser's own zone; not after somebody has chosen one.
    package let guessesZone: Bool
    package let enrolls: Bool
    /// The asking device's address, as the server sees it.
    package let address: String?
    /// By field name; `form` means the whole form.
    package let errors: [String: String]

    /// `zones` are all IANA names on offer; `timeZone` is the server's own, or was sent.
    package init(
        code: String = "", timeZone: String, zones: [String], enrolls: Bool = true, address: String? = nil,
        errors: [String: String] = [:]
    ) {
        self.code = code
        self.zones = Choice.zones(zones, selected: timeZone)
        guessesZone = errors.isEmpty
        self.enrolls = enrolls
        self.address = address
        self.errors = errors
    }
}
