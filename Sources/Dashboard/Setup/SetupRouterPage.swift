import Pages

/// Pointing the router here for the whole home; stores the way back. GET `/setup/router`; POST with `formerDNS`.
package struct SetupRouterPage: Page {
    package static let template = "setup-router"

    package let title = "Use the router"
    package let pointing: PointHere
    package let formerDNS: String
    package let error: String?

    package init(pointing: PointHere, formerDNS: String, error: String? = nil) {
        self.pointing = pointing
        self.formerDNS = formerDNS
        self.error = error
    }
}
