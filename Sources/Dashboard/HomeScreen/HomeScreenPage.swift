import Pages

/// How to put the bookmark on a phone's home screen and on a bedside display. GET `/home-screen`.
package struct HomeScreenPage: Page {
    package static let template = "home-screen"

    package let title = "Home screen"
    /// `http://sleep.home.arpa`, as people type it on a phone.
    package let address: String
    /// The device's system from its User-Agent, whose steps come first: `ios`, `android` or nil.
    package let system: String?
    package let isIOS: Bool

    package init(address: String, system: String? = nil) {
        self.address = address
        self.system = system
        isIOS = system == "ios"
    }
}
