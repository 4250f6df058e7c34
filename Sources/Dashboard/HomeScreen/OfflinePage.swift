import Pages

/// What the service worker shows while the server cannot be reached: the last state that it told, and another try.
/// Nobody's data is on it, so that every device may keep it. GET `/offline`.
package struct OfflinePage: Page {
    package static let template = "offline"

    package let title = "Not connected"

    package init() {}
}
