import Pages

/// What comes after the gate: one phone first, the router later. GET `/setup/begin`.
package struct BeginPage: Page {
    package static let template = "setup-begin"

    package let title = "Start with one phone"
    package let pointing: PointHere
    /// What to open on a phone, when this is not it.
    package let address: String
    /// Whether the first selection stays open at night. A house that was set up by flags has none.
    package let holdsFirst: Bool

    package init(pointing: PointHere, address: String, holdsFirst: Bool) {
        self.pointing = pointing
        self.address = address
        self.holdsFirst = holdsFirst
    }
}

/// The asking system's own steps, and the check at their end. GET `/setup/device`.
package struct SetupDevicePage: Page {
    package static let template = "setup-device"

    package let title = "Set up this device"
    package let pointing: PointHere

    package init(pointing: PointHere) { self.pointing = pointing }
}

/// The router, for the whole home, with the way back written down. GET `/setup/router`; POST with `formerDNS`.
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
