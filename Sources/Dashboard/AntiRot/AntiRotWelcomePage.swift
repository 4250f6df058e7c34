import Pages

/// What Anti-Rot is, for whoever is not signed in on a device that is not enrolled (AR-047, AR-048, C-22).
package struct AntiRotWelcomePage: Page {
    package static let template = "anti-rot-welcome"

    package let title = "Anti-Rot"
    /// Where "Get Started" leads: the one grant, or the login.
    package let isSetUp: Bool

    package init(isSetUp: Bool) { self.isSetUp = isSetUp }
}
