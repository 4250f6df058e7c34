import Pages

/// The initial values of the form for asking, and why it was refused.
package struct AskDraft: Sendable {
    /// The chosen app, or the app of the shield that led here.
    package var app: String?
    /// The reason as it was typed.
    package var reason: String?
    /// Where the reason belongs: `later`, `skip`, `app`, or the number of a limit.
    package var place: String?
    package var error: String?
    /// Whether `error` is about the reason, and belongs beside it.
    package var isAboutReason: Bool

    package init(
        app: String? = nil, reason: String? = nil, place: String? = nil, error: String? = nil,
        isAboutReason: Bool = false
    ) {
        self.app = app
        self.reason = reason
        self.place = place
        self.error = error
        self.isAboutReason = isAboutReason
    }

    /// The field for the reason in one of the forms, with the text that was typed there.
    func field(_ places: String...) -> ReasonField {
        let id = "reason-\(places[0])"
        guard let place, places.contains(place) else { return ReasonField(id: id) }
        return ReasonField(id: id, value: reason, error: isAboutReason ? error : nil)
    }
}
