import Pages

/// Shown instead of another adult's usage: whose it is, and the way back (design.md, Trust).
package struct UsageHiddenPage: Page {
    package static let template = "usage-hidden"

    package let title = "Usage"
    let who: String
    /// Whether the asking device enrolled itself as theirs and is not confirmed.
    let isOwn: Bool
}
