import Pages

/// What the service worker shows while the server cannot be reached: the last known state, and a button to try again.
/// It has nobody's data, so every device may keep it. GET `/offline`.
package struct OfflinePage: Page {
    package static let template = "offline"

    package let title = "Not connected"

    package init() {}
}
