/// Monday first; raw values are the contract's form values.
package enum Weekday: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable, Comparable {
    case mon, tue, wed, thu, fri, sat, sun

    package var displayName: String {
        switch self {
        case .mon: "Monday"
        case .tue: "Tuesday"
        case .wed: "Wednesday"
        case .thu: "Thursday"
        case .fri: "Friday"
        case .sat: "Saturday"
        case .sun: "Sunday"
        }
    }

    /// Three letters, for example "Mon".
    package var short: String { String(displayName.prefix(3)) }

    /// 0 for Monday to 6 for Sunday.
    package var order: Int { Self.allCases.firstIndex(of: self)! }

    package var next: Weekday { Self.allCases[(order + 1) % Self.allCases.count] }

    package var previous: Weekday { Self.allCases[(order + Self.allCases.count - 1) % Self.allCases.count] }

    package static func < (a: Weekday, b: Weekday) -> Bool { a.order < b.order }
}
