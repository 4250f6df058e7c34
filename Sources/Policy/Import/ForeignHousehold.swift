package import Foundation

/// What another DNS server's file says about a household, in words of no product.
package struct ForeignHousehold: Hashable, Codable, Sendable {
    package enum Source: String, Codable, Sendable {
        case adGuardHome, piHole

        package var name: String {
            switch self {
            case .adGuardHome: "AdGuard Home"
            case .piHole: "Pi-hole"
            }
        }
    }

    /// Clients that one file may have; more are cut off and named as left over.
    package static let mostClients = 500

    package var source: Source
    package var clients: [ForeignClient]
    /// What the file has and a client does not, by how many there are.
    package var leftovers: [Leftover: Int]
    /// What blocks somebody, or did, and is no client's.
    package var unplaced: [Unplaced]

    package init(
        source: Source, clients: [ForeignClient], leftovers: [Leftover: Int] = [:],
        unplaced: [Unplaced] = []
    ) {
        self.source = source
        self.clients = clients
        self.leftovers = leftovers
        self.unplaced = unplaced
    }

    /// Parts of a file that have no place here.
    package enum Leftover: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
        case blockLists, allowedNames, ownRules, patterns, rewrites, safeSearch, familyFilter, upstreams, dhcp
        case clientUpstreams, ownSettings, encryption, furtherClients
    }

    /// Some names or clients that the file blocks in a way that has no place here.
    package struct Unplaced: Hashable, Codable, Sendable {
        package enum Kind: String, Codable, Sendable {
            /// Blocked for every device.
            case house
            /// Blocked by a group that is switched off.
            case groupOff
            /// Blocked by a group that no client is in.
            case emptyGroup
            /// Names that are switched off, each by itself.
            case namesOff
            /// Clients that get no answer.
            case refused
            /// The only clients that get one.
            case only
        }

        package var kind: Kind
        /// The group's name.
        package var group: String
        /// Empty: there is no such thing in the file.
        package var items: [String]

        package init(_ kind: Kind, group: String = "", _ items: [String]) {
            self.kind = kind
            self.group = group
            self.items = items
        }
    }
}

/// One client of such a file.
package struct ForeignClient: Hashable, Codable, Sendable {
    /// Empty if the file has no name for it.
    package var name: String
    /// `aa:bb:cc:dd:ee:ff`, as `MACAddress` writes it.
    package var hardware: [String]
    /// Single IP addresses, as `IPAddress` writes them.
    package var addresses: [String]
    /// What it is known by that is no single device: a range, an id of encrypted DNS, an interface, a host name.
    package var otherIDs: [String]
    package var isChild: Bool
    package var kind: Device.Kind
    /// The group that its rules come from; nil if it stands for itself.
    package var group: String?
    package var rules: ForeignRules

    package init(
        name: String, hardware: [String] = [], addresses: [String] = [], otherIDs: [String] = [],
        isChild: Bool = false, kind: Device.Kind = .other, group: String? = nil,
        rules: ForeignRules = ForeignRules()
    ) {
        self.name = name
        self.hardware = hardware
        self.addresses = addresses
        self.otherIDs = otherIDs
        self.isChild = isChild
        self.kind = kind
        self.group = group
        self.rules = rules
    }
}

/// What is blocked for a client, and when it is not.
package struct ForeignRules: Hashable, Codable, Sendable {
    /// AdGuard Home's ids of services.
    package var services: [String]
    /// Names that are blocked, with or without what is below them.
    package var domains: [String]
    /// Times in which nothing of it is blocked; one a weekday at most.
    package var pauses: [Pause]
    /// The IANA zone of the pauses; nil: the server's own.
    package var zone: String?
    /// Whether these are the rules of the whole house, and not the client's own.
    package var areOfTheHouse: Bool

    package init(
        services: [String] = [], domains: [String] = [], pauses: [Pause] = [], zone: String? = nil,
        areOfTheHouse: Bool = false
    ) {
        self.services = services
        self.domains = domains
        self.pauses = pauses
        self.zone = zone
        self.areOfTheHouse = areOfTheHouse
    }

    package var isEmpty: Bool { services.isEmpty && domains.isEmpty }
    /// Whether it blocks at no time.
    package var isAlwaysPaused: Bool {
        pauses.count == Weekday.allCases.count && pauses.allSatisfy { $0.start == 0 && $0.end == 1_440 }
    }

    /// A part of one day, in minutes since 00:00.
    package struct Pause: Hashable, Codable, Sendable {
        package var day: Weekday
        /// Included, 0 to 1,439.
        package var start: Int
        /// Excluded, 1 to 1,440.
        package var end: Int

        /// Nil for a time that is no part of a day.
        package init?(day: Weekday, start: Int, end: Int) {
            guard (0..<1_440).contains(start), end > start, end <= 1_440 else { return nil }
            self.day = day
            self.start = start
            self.end = end
        }
    }
}

extension [ForeignRules.Pause] {
    /// The times that are in both.
    func common(with others: [ForeignRules.Pause]) -> [ForeignRules.Pause] {
        compactMap { pause in
            others.first { $0.day == pause.day }.flatMap {
                ForeignRules.Pause(
                    day: pause.day, start: Swift.max(pause.start, $0.start), end: Swift.min(pause.end, $0.end)
                )
            }
        }
    }

    /// Those of equal times together.
    private func byTimes() -> [(times: Range<Int>, days: Set<Weekday>)] {
        let days = Dictionary(map { ($0.start..<$0.end, Set([$0.day])) }, uniquingKeysWith: { $0.union($1) })
        return days.map { ($0.key, $0.value) }
            .sorted {
                ($0.times.lowerBound, $0.times.upperBound) < ($1.times.lowerBound, $1.times.upperBound)
            }
    }

    /// As windows. A whole day becomes two that touch, because a window is shorter than a day.
    package func windows(newID: () -> UUID) -> [TimeWindow] {
        byTimes().flatMap { times, days in
            (times == TimeWindow.day ? [0..<720, 720..<1_440] : [times]).map { TimeWindow(newID(), $0, days) }
        }
    }

    /// `Monday 15:00–17:00; Saturday all day`, from Monday on.
    var words: String {
        byTimes().sorted {
            ($0.days.min() ?? .mon, $0.times.lowerBound) < ($1.days.min() ?? .mon, $1.times.lowerBound)
        }
        .map { times, days in
            let hours = times == TimeWindow.day ? "all day" : TimeWindow(UUID(), times, days).times
            return "\(Self.words(days)) \(hours)"
        }
        .joined(separator: "; ")
    }

    private static func words(_ days: Set<Weekday>) -> String {
        switch days.sorted() {
        case Weekday.allCases: "every day"
        case [.mon, .tue, .wed, .thu, .fri]: "Monday to Friday"
        case [.sat, .sun]: "Saturday and Sunday"
        case let chosen: chosen.map(\.displayName).joined(separator: ", ")
        }
    }
}

extension TimeWindow {
    fileprivate init(_ id: UUID, _ minutes: Range<Int>, _ days: Set<Weekday>) {
        self.init(
            id: id, label: "", start: TimeOfDay(minuteOfDay: minutes.lowerBound),
            end: TimeOfDay(minuteOfDay: minutes.upperBound), days: days)
    }
}
