/// Names that a rule speaks of: suffixes match themselves and everything below, exact names only themselves.
///
/// Names are written as text (`example.com`, a trailing dot is allowed), in ASCII (A-labels); what is no name is ignored.
package struct NameSet: Sendable, Equatable {
    package var suffixes: [String]
    package var exact: [String]

    package init(suffixes: [String] = [], exact: [String] = []) {
        self.suffixes = suffixes
        self.exact = exact
    }
}

/// The names of one app: `tag` comes back in counts, and `pages` are the hosts that people open in a browser.
package struct AppNames: Sendable, Equatable {
    /// Opaque to DNS; 0 means no app and must not be used here.
    package var tag: UInt32
    package var suffixes: [String]
    package var pages: [String]

    package init(tag: UInt32, suffixes: [String], pages: [String] = []) {
        self.tag = tag
        self.suffixes = suffixes
        self.pages = pages
    }
}
