import Pages

/// Explains Anti-Rot to visitors without a login on devices that are not enrolled.
package struct AntiRotWelcomePage: Page {
    package static let template = "anti-rot-welcome"

    package let title = "Anti-Rot"
    /// Whether "Get Started" leads to the login; else to the one grant.
    package let isSetUp: Bool

    package init(isSetUp: Bool) { self.isSetUp = isSetUp }
}
