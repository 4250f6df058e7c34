package import Foundation

/// A short task to do instead of scrolling, which a limit's shield suggests.
package struct SuggestedTask: Hashable, Sendable {
    package enum PartOfDay: String, Codable, Sendable, CaseIterable {
        case morning, day, evening, night

        /// A wall-clock hour, 0 to 23.
        package init(hour: Int) {
            switch hour {
            case 5..<11: self = .morning
            case 11..<18: self = .day
            case 18..<22: self = .evening
            default: self = .night
            }
        }
    }

    /// The longest title, in characters.
    package static let maximumLength = 120
    package static let minuteRange = 1...120

    package var title: String
    /// How long it takes, in minutes, within `minuteRange`; nil if not given.
    package var minutes: Int?
    /// The parts of the day that suit it; empty: any time.
    package var when: Set<PartOfDay>

    package init(title: String, minutes: Int? = nil, when: Set<PartOfDay> = []) {
        self.title = title
        self.minutes = minutes
        self.when = when
    }
}

/// A list of suggestions; never empty.
package struct SuggestedTasks: Hashable, Sendable {
    package static let maximumCount = 300
    /// The largest file, in bytes.
    package static let maximumBytes = 64 * 1024

    package let list: [SuggestedTask]

    package init(_ list: [SuggestedTask]) throws(Fault) {
        guard !list.isEmpty else { throw .empty }
        guard list.count <= Self.maximumCount else { throw .tooMany }
        self.list = list
    }

    /// The suggestions if there is no file to read.
    package static let lastResort = try! SuggestedTasks([
        SuggestedTask(title: "Look out of the window"), SuggestedTask(title: "Drink a glass of water"),
    ])

    /// The suggestion for a number, among those for this part of the day, each equally likely. The same number gives
    /// the same suggestion, so that reloading a page keeps it.
    package func choice(for number: UInt64, at part: SuggestedTask.PartOfDay) -> SuggestedTask {
        let fitting = list.filter { $0.when.isEmpty || $0.when.contains(part) }
        let pool = fitting.isEmpty ? list : fitting
        return pool[Int(Self.mixed(number) % UInt64(pool.count))]
    }

    /// SplitMix64: neighbouring numbers give results far apart.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Why something is not a list of suggestions.
    package enum Fault: Error, Hashable, Sendable {
        case empty, tooMany, tooLarge, unreadable
        /// Numbered from 1.
        case titleMissing(Int)
        case titleTooLong(Int)
        case minutesOutOfRange(Int)

        package var message: String {
            switch self {
            case .empty: "Write at least one suggestion."
            case .tooMany: "There can be at most \(SuggestedTasks.maximumCount) suggestions."
            case .tooLarge: "This is too long. Use at most 64 KB."
            case .unreadable: "This is not a list of suggestions."
            case .titleMissing(let number): "Suggestion \(number) has no words."
            case .titleTooLong(let number):
                "Suggestion \(number) is too long. Use at most \(SuggestedTask.maximumLength) characters."
            case .minutesOutOfRange(let number):
                "Suggestion \(number) takes \(SuggestedTask.minuteRange.lowerBound) to \(SuggestedTask.minuteRange.upperBound) minutes."
            }
        }
    }
}

extension SuggestedTasks {
    /// How long a choice stays, in seconds.
    private static let stay = 300.0

    /// What a person is shown at an instant: a new suggestion every five minutes, by the wall-clock hour.
    package func choice(at now: Date, in zone: TimeZone, for person: PersonID) -> SuggestedTask {
        let civil = CivilZone(zone.identifier) ?? .utc
        let number = UInt64(max(0, now.timeIntervalSince1970 / Self.stay))
        return choice(
            for: number &+ UInt64(bitPattern: person.rawValue) &* 1_000_003,
            at: SuggestedTask.PartOfDay(hour: civil.time(of: now).hour))
    }
}
