import Foundation
import Policy
import Synchronization
import Testing

@testable import SleepInducer

/// A device has several addresses, and asks for names by one: whoever connects is who the neighbour table says.
@Suite struct LatestSnapshotTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func latest(_ neighbours: [String: String], repeaters: Set<String> = []) -> LatestSnapshot {
        let latest = LatestSnapshot(standsBeforeRules: { _ in false }, neighbours: { _ in neighbours })
        let me = PersonID(rawValue: 1)
        let session = SleepSession(
            id: UUID(), mode: .manual(durationMinutes: 60), strictness: .strict, startedAt: Self.now - 60,
            endsAt: Self.now + 3600, allowed: AppSelection())
        let household = Household(
            timeZone: "UTC", repeaters: repeaters, people: [Person(id: me, name: "Me", session: session)],
            devices: [
                Device(
                    id: DeviceID(rawValue: 1), name: "Phone", person: me, addresses: ["10.0.0.2"],
                    hardwareAddress: "02:00:00:00:00:02", firstSeen: Self.now, lastSeen: Self.now),
                Device(
                    id: DeviceID(rawValue: 2), name: "Television", addresses: ["10.0.0.9"],
                    hardwareAddress: "02:00:00:00:00:09", firstSeen: Self.now, lastSeen: Self.now),
            ])
        latest.replace(
            with: Snapshot(
                revision: 1, instant: Self.now, household: household,
                catalog: Catalog(categories: [], apps: [], alwaysReachable: []),
                verdicts: household.evaluate(at: Self.now)))
        return latest
    }

    @Test func theOtherAddressOfADeviceIsItsOwn() {
        let latest = latest(["fd00::2": "02:00:00:00:00:02", "10.0.0.2": "02:00:00:00:00:02"])
        #expect(latest.known("fd00::2") == "10.0.0.2")
        #expect(latest.known("10.0.0.2") == "10.0.0.2")
        #expect(latest.verdict(of: "www.example.com", at: latest.known("fd00::2")).block?.layer == .sleep)
    }

    /// Somebody else's question a moment ago had the table read, in which the newcomer was not yet.
    @Test func whoHasConnectedIsLookedUpAnew() async throws {
        let kernel = Mutex<[String: String]>([:])
        let neighbours = Neighbours { kernel.withLock { $0 } }
        #expect(neighbours.hardware == [:])
        kernel.withLock { $0["10.0.0.2"] = "02:00:00:00:00:02" }
        try await Task.sleep(for: .milliseconds(2))
        #expect(neighbours.hardware(withConnected: "10.0.0.2")["10.0.0.2"] == "02:00:00:00:00:02")
    }

    private static let both = ["10.0.0.2": "02:00:00:00:00:02", "10.0.0.3": "02:00:00:00:00:02"]

    @Test func aFreshIPv4AddressIsItsOwnToo() {
        let latest = latest(Self.both)
        #expect(latest.known("10.0.0.3") == "10.0.0.2")
        #expect(latest.verdict(of: "www.example.com", at: latest.known("10.0.0.3")).block?.layer == .sleep)
    }

    @Test("Whoever takes the address of a device that nobody enrolled is known by the hardware address")
    func aTakenAddress() {
        let latest = latest(["10.0.0.9": "02:00:00:00:00:02"])
        #expect(latest.known("10.0.0.9") == "10.0.0.2")
        #expect(latest.collectDoubtful() == ["10.0.0.9"] && latest.collectDoubtful() == [])
        #expect(self.latest(["10.0.0.9": "02:00:00:00:00:09"]).known("10.0.0.9") == "10.0.0.9")
        #expect(
            self.latest(["10.0.0.9": "02:00:00:00:00:02"], repeaters: ["02:00:00:00:00:02"]).known("10.0.0.9")
                == "10.0.0.9")
        #expect(
            self.latest(["10.0.0.2": "02:00:00:00:00:09"]).known("10.0.0.2") == "10.0.0.2", "the stricter")
    }

    @Test("A Wi-Fi repeater lends its hardware address to everybody behind it")
    func behindARepeaterItIsSomebodyElses() {
        let latest = latest(Self.both, repeaters: ["02:00:00:00:00:02"])
        #expect(latest.known("10.0.0.3") == "10.0.0.3")
        #expect(!latest.knows(latest.known("10.0.0.3")))
        #expect(latest.verdict(of: "www.example.com", at: latest.known("10.0.0.3")).block == nil)
    }

    @Test func whoeverIsNotKnownStaysSo() {
        let latest = latest(["fd00::9": "02:00:00:00:00:0a"])
        for address in ["fd00::9", "10.0.0.8"] {
            #expect(latest.known(address) == address)
            #expect(!latest.knows(address))
        }
        #expect(latest.knows("10.0.0.2"))
    }
}
