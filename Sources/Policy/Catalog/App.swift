/// A product that people know by name, and the domain names that it lives on.
///
/// All names are lower case, without a trailing dot, and punycoded.
package struct App: Hashable, Codable, Sendable {
    /// The brand in lower case, for example `tiktok`; `own-…` for an app that the household added.
    package var id: String
    package var name: String
    /// The id of its `Category`.
    package var category: String
    /// Matched on label boundaries: `tiktok.com` covers `www.tiktok.com`, not `nottiktok.com`.
    package var suffixes: [String]
    /// Names that a person types or follows a link to; if blocked, they are answered with the server's address.
    package var pages: [String]
    /// Suffixes whose look-ups show that a person uses the app: not push, analytics or updates.
    package var foreground: [String]
    /// Names of the app's background service (push, telemetry, update checks); they never count as use.
    package var service: [String]

    package init(
        id: String, name: String, category: String, suffixes: [String], pages: [String] = [],
        foreground: [String] = [], service: [String] = []
    ) {
        self.id = id
        self.name = name
        self.category = category
        self.suffixes = suffixes
        self.pages = pages
        self.foreground = foreground
        self.service = service
    }
}

/// A shelf of the catalog, for example "Social".
package struct Category: Hashable, Codable, Sendable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// Names that stay reachable whatever is blocked, and why.
package struct AlwaysReachable: Hashable, Sendable {
    package var id: String
    package var name: String
    /// One calm sentence for the Allowed Apps page.
    package var reason: String
    package var suffixes: [String]
    /// Exact names, where a suffix would open too much (`www.google.com` for Android's probe).
    package var hosts: [String]
    /// Whether the household may untick this entry.
    package var isOptional: Bool

    package init(
        id: String, name: String, reason: String, suffixes: [String] = [], hosts: [String] = [],
        isOptional: Bool = false
    ) {
        self.id = id
        self.name = name
        self.reason = reason
        self.suffixes = suffixes
        self.hosts = hosts
        self.isOptional = isOptional
    }
}
