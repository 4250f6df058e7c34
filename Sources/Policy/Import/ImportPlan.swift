import Foundation

/// What of a foreign household is taken, and what is not, each in a sentence; made by `Household.importPlan`.
///
/// It only adds: devices, people, apps to block, and windows where a person has none. A device that is here already keeps
/// its owner and rules.
package struct ImportPlan: Hashable, Sendable {
    package var source: ForeignHousehold.Source
    package var devices: [Taken]
    package var people: [NewPerson]
    package var rules: [Rules]
    /// What has no place here, each with the reason.
    package var notTaken: [String]

    /// A client that can be taken as a device.
    package struct Taken: Hashable, Sendable {
        /// The client's place in the file.
        package var client: Int
        package var name: String
        package var hardware: [String]
        package var addresses: [String]
        package var kind: Device.Kind
        /// The device that is here already; nil: it becomes a new one.
        package var known: DeviceID?
        /// Who has the known device; it stays theirs.
        package var keeps: PersonID?
        package var owner: Owner
        /// Whether it is ticked.
        package var isChosen: Bool
    }

    /// The owner that an imported device gets.
    package enum Owner: Hashable, Sendable {
        /// Known by its name, and never blocked.
        case nobody
        case person(PersonID)
        /// By the name of a new person.
        case new(String)
    }

    package struct NewPerson: Hashable, Sendable {
        package var name: String
        package var isChild: Bool
    }

    /// What a person's Anti-Rot gets.
    package struct Rules: Hashable, Sendable {
        package var owner: Owner
        package var apps: Set<String>
        package var pauses: [ForeignRules.Pause]
        /// Windows that a person has stay as they are.
        package var keepsWindows: Bool
    }

    /// Ticks and owners of a form or a command; by the client's place in the file.
    package struct Choice: Hashable, Sendable {
        package var clients: Set<Int>
        /// Where none is given, the proposed one holds.
        package var owners: [Int: Owner]
        /// New people, by name, who are no children whatever is proposed.
        package var adults: Set<String>

        package init(clients: Set<Int>, owners: [Int: Owner] = [:], adults: Set<String> = []) {
            self.clients = clients
            self.owners = owners
            self.adults = adults
        }

        /// All that is proposed, but for who is an adult.
        package init(allOf foreign: ForeignHousehold, adults: Set<String>) {
            self.init(clients: Set(foreign.clients.indices), adults: adults)
        }
    }

    /// Numbers for what is new, which nothing ever had.
    package struct Numbers: Sendable {
        package var devices: [DeviceID]
        package var people: [PersonID]

        package init(devices: [DeviceID], people: [PersonID]) {
            self.devices = devices
            self.people = people
        }
    }

    /// How many devices it adds.
    package var newDevices: Int { devices.count { $0.isChosen && $0.known == nil } }
    package var isEmpty: Bool { !devices.contains(where: \.isChosen) }

    /// "3 devices, 1 person", as it was taken.
    package var taken: String {
        let devices = devices.count(where: \.isChosen)
        let parts =
            [Self.count(devices, "device", "devices")]
            + (people.isEmpty ? [] : [Self.count(people.count, "new person", "new people")])
        return parts.joined(separator: " and ")
    }

    private static func count(_ count: Int, _ one: String, _ many: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many)"
    }
}

extension ImportPlan.Rules {
    /// When the apps are open, in a sentence.
    package var times: String {
        if keepsWindows { return "They are added to Anti-Rot. Its times stay as they are." }
        guard !pauses.isEmpty else {
            return "Blocked all day. “I’m Eating” in Anti-Rot opens them for 45 minutes, once a day."
        }
        return "Open \(pauses.words), and blocked at all other times."
    }

    /// The names of its apps, in order.
    package func names(in catalog: Catalog) -> String {
        apps.compactMap { catalog.app(id: $0)?.name }.sorted().joined(separator: ", ")
    }
}
