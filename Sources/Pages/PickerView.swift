/// What of a picker is open and searched, from a page's address or its form.
package struct PickerView: Sendable, Equatable {
    /// Ids of open categories; nil: those in which something is ticked.
    package var open: Set<String>?
    package var find: String

    package init(open: Set<String>? = nil, find: String = "") {
        self.open = open
        self.find = find
    }

    /// `open` is `social,video`; both nil if nothing was sent.
    package init(open: String?, find: String?) {
        self.open = open.map { Set($0.split(separator: ",").prefix(Self.most).map(String.init)) }
        self.find =
            find.map { String($0.prefix(Self.longest)).trimmingPrefix(while: \.isWhitespace) }
            .map(String.init) ?? ""
    }

    /// Categories that can be open, and letters of a search.
    private static let (most, longest) = (100, 60)
}
