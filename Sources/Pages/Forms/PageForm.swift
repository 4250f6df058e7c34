/// A form of a page that `PageRenderer` wrote, with what its fields show.
///
/// It is read off the page, so that what a form says that it showed is what it showed.
package struct PageForm {
    package struct Field {
        package enum Kind: Sendable {
            case hidden
            /// A text of one line; `time` if a browser reads it as one.
            case text, time
            /// A text of several lines.
            case area
            /// Each box, button or option is a field of its own.
            case box, radio, option
        }

        package let name: String
        package internal(set) var kind: Kind
        package internal(set) var value: String
        /// Whether a browser sends the value.
        package internal(set) var isOn = true
        /// The words beside a box or a radio button, or of an option.
        package internal(set) var label = ""
        /// The fields with the same text are one member; nil: it is one by itself.
        package let group: String?

        /// The tag; for a text of several lines, also what follows, up to its end.
        var tag: HTMLTag
        var content: Range<Int>
        /// The tag of the list that has the option.
        var list: HTMLTag?
        /// Where a reason about it stands: below the innermost block around it; of a choice, at its set's end.
        var reasonAt: Int?
        /// The folded parts around it.
        var folds: [HTMLTag]
    }

    /// Without its query.
    package let action: String
    package internal(set) var fields: [Field] = []
    /// Where the form is drawn again, if not at the page's own address.
    let shownAt: String?
    /// Whether it says what to do now, and saves nothing that it showed.
    let isPress: Bool
    let opening: HTMLTag

    /// What a browser sends of it if nothing is changed, without hidden fields and buttons.
    package var shown: [(name: String, value: String)] {
        fields.filter { $0.kind != .hidden && $0.isOn }.map { ($0.name, $0.value) }
    }

    /// Whether its hidden fields are among sent ones, so that it is the form that was sent.
    package func isForm(of sent: [(name: String, value: String)]) -> Bool {
        fields.allSatisfy { field in
            field.kind != .hidden || Self.changing.contains(field.name)
                || sent.contains { $0.name == field.name && $0.value == field.value }
        }
    }

    /// Hidden fields that differ from page to page: they do not tell forms apart.
    private static let changing: Set = ["csrf", "shown", "open", "find", "kind"]

    /// Whether there is anything that a reader can change. A picker's shelves may all be closed: a script opens them.
    var hasMembers: Bool { fields.contains { $0.kind != .hidden } || opening.has("data-autosave") }
}
