import Directory
import Foundation
import Policy
import Testing

@testable import Store

/// Ways past this server outlive a restart, so that each is told once.
@Suite struct WaysOutStoreTests {
    private let kim = PersonID(rawValue: 2)
    private let tablet = DeviceID(rawValue: 1)

    private func withTablet(_ store: HouseholdStore) throws {
        try store.change { household in
            household.people.append(Person(id: kim, name: "Kim", role: .child))
            household.devices.append(
                Device(
                    id: tablet, name: "Tablet", person: kim, addresses: ["10.0.0.3"], firstSeen: noon,
                    lastSeen: noon))
        }
    }

    @Test("What was told stays told after a restart, with one line in the child's log")
    func restart() throws {
        let scratch = Scratch()
        do {
            let store = try scratch.open()
            try withTablet(store)
            store.note(.vpn, on: tablet, at: noon)
            store.note(.vpn, on: tablet, at: noon + 5)
        }
        let store = try scratch.open()
        let revision = store.revision
        store.note(.vpn, on: tablet, at: noon + 3600)
        store.lookForWaysOut(at: noon + 3600)
        #expect(store.revision == revision && store.household.devices[0].waysOut.map(\.kind) == [.vpn])
        #expect(try store.log(of: kim).filter { $0.kind == .wayOutSeen }.map(\.device) == [tablet])
        store.take(HouseFacts(now: noon + 3600, runningSince: noon))
        #expect(store.notices.notices.map(\.id) == ["way-out-vpn-1"])
        #expect(store.notices.notices.first?.finding.device == tablet)
    }

    @Test("A question that came since, even one that is not written yet, shows that a device asks here")
    func asked() throws {
        let store = try Scratch().open()
        try withTablet(store)
        store.notePage(on: tablet, at: noon + 100)
        store.notePage(on: tablet, at: noon + 401)
        store.lookForWaysOut(at: noon + 402)
        #expect(store.household.devices[0].waysOut.map(\.kind) == [.asksElsewhere])
        try store.saw([Sighting(IPAddress("10.0.0.3")!)], at: noon + 410)
        store.lookForWaysOut(at: noon + 411)
        #expect(store.household.devices[0].waysOut.isEmpty)
    }
}
