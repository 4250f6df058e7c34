/// Identifies a person of the household; the store's row number.
package struct PersonID: Hashable, Codable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
    package static func < (a: PersonID, b: PersonID) -> Bool { a.rawValue < b.rawValue }
}

/// Names a device; the store's row number.
package struct DeviceID: Hashable, Codable, Comparable, Sendable, RawRepresentable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static func < (a: DeviceID, b: DeviceID) -> Bool { a.rawValue < b.rawValue }
}
