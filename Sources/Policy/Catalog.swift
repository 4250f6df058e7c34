/// The apps that this house knows, shipped with the binary, with the household's own apps added.
package struct Catalog: Sendable {
    package let categories: [Category]
    package let apps: [App]
    package let alwaysReachable: [AlwaysReachable]

    package init(categories: [Category], apps: [App], alwaysReachable: [AlwaysReachable]) {
        self.categories = categories
        self.apps = apps
        self.alwaysReachable = alwaysReachable
    }
}
