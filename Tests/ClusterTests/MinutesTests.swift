import Foundation
import Policy
import Store
import Testing

@testable import Cluster

/// Minutes of two nodes over etcd itself: what each counted alone, what is past, and what is nobody's.
@Suite(.serialized)
struct MinutesTests {
    private static let now = Machine.now
    private static let hour = Int(now.timeIntervalSince1970) / 3600

    private static func mask(
        _ minutes: UInt64, _ app: String = "tiktok", hoursAgo: Int = 24, person: Int64 = 1,
        source: UsageSource = .dns
    ) -> HourMask {
        HourMask(
            person: PersonID(rawValue: person), device: DeviceID(rawValue: 1), app: app,
            hour: hour - hoursAgo, source: source, minutes: minutes)
    }

    @Test("A new node has the past, and what each counted alone both have afterwards")
    func merged() throws {
        let (etcd, client) = try EtcdClientTests.started()
        defer { withExtendedLifetime(etcd) { client.close() } }
        let (first, second) = (try Machine("first"), try Machine("second"))
        let past = [
            Self.mask(0b1, hoursAgo: 40 * 24), Self.mask(0b11, hoursAgo: 13), Self.mask(0b11, hoursAgo: 12),
        ]
        for mask in past { try first.count(mask) }
        // It may be taken back yet.
        try first.count(Self.mask(1 << 45, "gmail", hoursAgo: 1))
        let file = try Nodes.begin(
            first.store, with: EtcdAccess(endpoints: [etcd.endpoint]), as: first.identity)
        first.file = file
        try first.start()
        second.file = try Nodes.join(Nodes.invite(file, knowing: nil), second.store, as: second.identity)
        try second.start()
        try eventually { try second.has(past[0], past[1], past[2]) }
        #expect(try !second.has(Self.mask(1 << 45, "gmail", hoursAgo: 1)))
        second.stop()
        // Each counts alone, also by bytes; some minutes are the same.
        try first.count(Self.mask(0b0111, hoursAgo: 30))
        try second.count(Self.mask(0b1110, hoursAgo: 30), Self.mask(0b1, "gmail", source: .relay))
        first.stop()
        try first.start()
        try second.start()
        for machine in [first, second] {
            try eventually {
                try machine.has(Self.mask(0b1111, hoursAgo: 30), Self.mask(0b1, "gmail", source: .relay))
            }
        }
    }

    @Test("Minutes of people who are gone and of days that are over do not come back, and old keys go")
    func gone() throws {
        let (etcd, client) = try EtcdClientTests.started()
        defer { withExtendedLifetime(etcd) { client.close() } }
        let machine = try Machine("only")
        let file = try Nodes.begin(
            machine.store, with: EtcdAccess(endpoints: [etcd.endpoint]), as: machine.identity)
        machine.file = file
        let (place, vault) = (EtcdKeys(of: file.household), Vault(file.keys))
        func put(_ masks: HourMask...) throws {
            for mask in masks {
                var day = DeviceDay(mask.device, day: mask.hour / 24)
                day.add(mask)
                let key = place.minutes(day.day, of: day.device)
                let sealed = try vault.current.seal(day.encoded(), for: key)
                _ = try client.commit(EtcdTransaction(puts: [key: sealed]))
            }
        }
        let old = Self.mask(0b1, hoursAgo: 95 * 24)
        try put(Self.mask(0b1, person: 99), old, Self.mask(0b1, hoursAgo: 80 * 24))
        // A key that nobody can read, and one that is none.
        let odd = [place.minutes(Self.hour / 24, of: DeviceID(rawValue: 1)), place.all + "minutes/x/y"]
        for key in odd { _ = try client.commit(EtcdTransaction(puts: [key: Data("odd".utf8)])) }
        try machine.start()
        // The oldest day is compared last.
        try eventually { try machine.has(Self.mask(0b1, hoursAgo: 80 * 24)) }
        // The same while it listens.
        try put(Self.mask(0b10, person: 99), old, Self.mask(0b110))
        try eventually { try machine.has(Self.mask(0b110)) }
        #expect(Set(try machine.store.usageHours(latest: 3_000, at: Self.now).joined()).count == 2)
        try #require(machine.replica).forgetMinutes()
        let left = try client.all(under: place.all + "minutes/").values.keys
        #expect(!left.contains(place.minutes(old.hour / 24, of: old.device)))
        #expect(left.contains(place.minutes(Self.hour / 24 - 80, of: old.device)))
    }

    @Test("All days are compared at first, then the last ones, and after a clock was set those between")
    func planned() {
        var minutes = Minutes()
        func pass(_ today: Int) -> [Int] {
            minutes.days = []
            for _ in 0..<Minutes.period { minutes.plan(for: today) }
            return minutes.days
        }
        minutes.plan(for: 20_000)
        #expect(minutes.days == Array(19_913...20_000))
        #expect(pass(20_000) == [19_999, 20_000])
        #expect(pass(20_003) == Array(19_999...20_003))
        #expect(pass(20_500).count == Minutes.daysKept)
        // It was ahead.
        #expect(pass(20_010) == Array(19_923...20_010))
        minutes.newest = nil
        minutes.plan(for: 20_010)
        #expect(minutes.days.count == Minutes.daysKept)
    }
}
