package import Foundation

/// The content of one page: stored properties only, because templates read them by reflection.
package protocol Page: Sendable {
    /// Its file in `Templates/`, without the ending.
    static var template: String { get }
    /// The document's title, before " · Sleep Inducer".
    var title: String { get }
    /// When its words become old, so that an open page draws itself again; nil: not before the day ends.
    var validUntil: Date? { get }
}

extension Page {
    package var validUntil: Date? { nil }
}
