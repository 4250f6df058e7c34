import Foundation
import Policy
import Store
import Testing

@testable import Cluster

/// What nodes know of each other's time, over etcd itself.
@Suite(.serialized)
struct LeadTests {
    private static let me = PersonID(rawValue: 1)

    private static func left(_ machine: Machine, ahead: TimeInterval) -> Int {
        machine.store.household.people[0].focus.timer.remaining(at: Machine.now + ahead)
    }

    @Test("A node that begins learns at once what time it is for others, and what is left of their timers")
    func atOnce() throws {
        let (etcd, client) = try EtcdClientTests.started()
        defer { withExtendedLifetime(etcd) { client.close() } }
        let (first, second) = (try Machine("first"), try Machine("second", ahead: 1_800))
        let file = try Nodes.begin(
            first.store, with: EtcdAccess(endpoints: [etcd.endpoint]), as: first.identity)
        first.file = file
        try first.start()
        try eventually { first.isLinked }
        // It began ten minutes ago.
        try first.store.change {
            _ = try $0.startFocus(Self.me, minutes: 25, session: UUID(), at: Machine.now - 600)
        }
        second.file = try Nodes.join(Nodes.invite(file, knowing: nil), second.store, as: second.identity)
        #expect(Self.left(second, ahead: 1_800) == 1_500, "nobody knows how long ago that was")
        try second.start()
        try eventually { second.replica?.lead(over: 0) == 1_800 && first.replica?.lead(over: 1) == -1_800 }
        try eventually { Self.left(second, ahead: 1_800) == 900 }
        #expect(Self.left(first, ahead: 0) == 900)
    }
}
