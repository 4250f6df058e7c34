import Pages

/// The page after set-up: first one phone, later the router. GET `/setup/begin`.
package struct BeginPage: Page {
    package static let template = "setup-begin"

    package let title = "Start with one phone"
    package let pointing: PointHere
    /// The address to open on a phone, if this is another device.
    package let address: String
    /// Whether the starting set stays open at night; a household that was set up by flags has none.
    package let holdsFirst: Bool

    package init(pointing: PointHere, address: String, holdsFirst: Bool) {
        self.pointing = pointing
        self.address = address
        self.holdsFirst = holdsFirst
    }
}

/// The steps for the asking system, with the check at the end. GET `/setup/device`.
package struct SetupDevicePage: Page {
    package static let template = "setup-device"

    package let title = "Set up this device"
    package let pointing: PointHere

    package init(pointing: PointHere) { self.pointing = pointing }
}

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
