import Foundation
import Testing

@testable import Policy

/// What a backup would change, in words that a page can show.
@Suite struct HouseholdDifferenceTests {
    private static let now = Household(
        timeZone: "Europe/Berlin",
        people: [
            Person(id: PersonID(rawValue: 1), name: "Ada"), Person(id: PersonID(rawValue: 2), name: "Mia"),
        ],
        devices: [device(1, "Phone", of: 1), device(2, "Tablet", of: 1)])

    private static func device(_ id: Int64, _ name: String, of person: Int64?) -> Device {
        Device(
            id: DeviceID(rawValue: id), name: name, kind: .phone,
            person: person.map(PersonID.init(rawValue:)),
            addresses: [], firstSeen: .distantPast, lastSeen: .distantPast)
    }

    @Test("The same household makes no difference") func none() {
        let none = HouseholdDifference(
            peopleBack: [], peopleGone: [], rules: [], devicesBack: [], devicesGone: [], handed: [])
        #expect(Self.now.difference(to: Self.now) == none)
    }

    @Test("People, rules and devices that differ are named, each once") func all() {
        var then = Self.now
        then.people[0].defaultStrictness = .strict
        then.people[1] = Person(id: PersonID(rawValue: 3), name: "Tom")
        then.offersHelp.toggle()
        then.devices = [Self.device(2, "Tablet", of: nil), Self.device(3, "Console", of: 3)]
        then.devices[0].family = FamilyUse()
        let difference = Self.now.difference(to: then)
        #expect(difference.peopleBack == ["Tom"])
        #expect(difference.peopleGone == ["Mia"])
        #expect(
            difference.rules == [
                .init(person: "Ada", subjects: [.defaultMode]), .init(person: nil, subjects: [.offersHelp]),
            ])
        #expect(difference.devicesBack == ["Console"])
        #expect(difference.devicesGone == ["Phone"])
        #expect(difference.handed == [.init(device: "Tablet", from: "Ada", to: "the family")])
    }
}
