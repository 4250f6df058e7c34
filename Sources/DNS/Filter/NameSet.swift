/// The names of a rule: suffixes match themselves and everything below, exact names only themselves.
///
/// Names are text in ASCII (A-labels), such as `example.com`; a trailing dot is allowed. Text that is no name is
/// ignored.
package struct NameSet: Sendable, Equatable {
    package var suffixes: [String]
    package var exact: [String]

    package init(suffixes: [String] = [], exact: [String] = []) {
        self.suffixes = suffixes
        self.exact = exact
    }
}

/// A name that is counted: `tag` comes back in counts.
///
/// The longest suffix of a name gives the tag; a page host, which people open in a browser, has the tag of its own entry.
package struct CountedName: Sendable {
    let name: String
    /// Opaque to DNS; 0 means none and must not be used here.
    let tag: UInt32
    let isPage: Bool

    /// Counts the name and all below it.
    package init(below name: String, tag: UInt32) {
        self.name = name
        self.tag = tag
        isPage = false
    }

    package init(page name: String, tag: UInt32) {
        self.name = name
        self.tag = tag
        isPage = true
    }
}
