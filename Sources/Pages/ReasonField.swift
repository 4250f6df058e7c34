import Policy

/// The field for the reason of a question, with what was typed if it was refused.
package struct ReasonField: Sendable {
    /// Unique on its page.
    package let id: String
    package let value: String
    package let error: String?
    package let most = CleanName.maximumReason

    package init(id: String, value: String? = nil, error: String? = nil) {
        self.id = id
        self.value = value ?? ""
        self.error = error
    }
}
