/// A choice of apps, whole categories and bare domains. Order carries no meaning.
///
/// One picker makes four of these per person, stored apart and never shared: allowed (sleep),
/// restricted (windows), productive (verified minutes), and a limit's single target.
package struct AppSelection: Hashable, Sendable {
    package var apps: Set<String>
    package var categories: Set<String>
    package var domains: Set<String>

    package init(apps: Set<String> = [], categories: Set<String> = [], domains: Set<String> = []) {
        self.apps = apps
        self.categories = categories
        self.domains = domains
    }

    package var isEmpty: Bool { apps.isEmpty && categories.isEmpty && domains.isEmpty }
}

extension AppSelection: Codable {
    private enum CodingKeys: String, CodingKey { case apps, categories, domains }

    /// A missing list is empty.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            apps: try container.decodeIfPresent(Set<String>.self, forKey: .apps) ?? [],
            categories: try container.decodeIfPresent(Set<String>.self, forKey: .categories) ?? [],
            domains: try container.decodeIfPresent(Set<String>.self, forKey: .domains) ?? [])
    }

    /// Sorted, so that equal selections are equal bytes.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(apps.sorted(), forKey: .apps)
        try container.encode(categories.sorted(), forKey: .categories)
        try container.encode(domains.sorted(), forKey: .domains)
    }
}
