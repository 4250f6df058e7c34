/// A choice of apps, whole categories and bare domains (SI-017, C-20). Order carries no meaning.
///
/// One picker makes four of these per person, stored apart and never shared: allowed (sleep),
/// restricted (windows), productive (verified minutes), and a limit's single target (C-01).
package struct AppSelection: Hashable, Codable, Sendable {
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
