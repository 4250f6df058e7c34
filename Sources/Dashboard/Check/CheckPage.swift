import Pages

/// The live check while it runs: the browser loads one-time names. GET `/check` and `/check/around`.
package struct CheckPage: Page {
    package static let template = "check"

    package let title = "Check"
    /// The address of the result.
    package let next: String
    /// Absolute addresses with one-time names.
    package let images: [String]
    /// The asking device's address, as this server sees it.
    package let address: String
    package let pointing: PointHere

    package init(next: String, images: [String], address: String, pointing: PointHere) {
        self.next = next
        self.images = images
        self.address = address
        self.pointing = pointing
    }
}
