import Pages
package import Policy

/// The suggestions that a limit's shield shows instead of the app:
///
/// POST `/suggestions` `tasks` (one per line) · `/suggestions/restore` (the shipped ones) · `/suggestions/undo`.
package struct SuggestionsPage: Page {
    package static let template = "suggestions"

    package let title = "Suggestions"
    /// One per line: stored, or refused input.
    package let lines: String
    /// `50 suggestions.`
    package let count: String
    /// Whether they are the household's own, so that the shipped ones can be restored.
    package let isOwn: Bool
    /// Whether the household's own list was set aside and can be restored.
    package let canTakeBack: Bool
    package let error: String?

    package init(
        tasks: SuggestedTasks, isOwn: Bool, canTakeBack: Bool, typed: String? = nil, error: String? = nil
    ) {
        lines = typed ?? tasks.lines
        let number = tasks.list.count
        count = number == 1 ? "1 suggestion." : "\(number) suggestions."
        self.isOwn = isOwn
        self.canTakeBack = canTakeBack
        self.error = error
    }
}
