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

/// Names that are counted together: `tag` comes back in counts, and `pages` are the hosts that people open in a browser.
///
/// The longest suffix of a name gives the tag; a page host has the tag of its own entry.
package struct AppNames: Sendable, Equatable {
    /// Opaque to DNS; 0 means none and must not be used here.
    package var tag: UInt32
    package var suffixes: [String]
    package var pages: [String]

    package init(tag: UInt32, suffixes: [String], pages: [String] = []) {
        self.tag = tag
        self.suffixes = suffixes
        self.pages = pages
    }
}
