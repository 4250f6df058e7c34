import Foundation
import Logging
import Policy
import Store
import Testing

@testable import Cluster

/// A node's data, which go with it.
final class Machine {
    static let now = Date(timeIntervalSince1970: 1_795_262_400)
    static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let store: HouseholdStore
    let identity: NodeIdentity
    private let now: @Sendable () -> Date
    var file: ClusterFile?
    var replica: Replica?

    /// - Parameter ahead: by how many seconds its clock is ahead.
    init(_ name: String, ahead: TimeInterval = 0) throws {
        let now = Self.now + ahead
        self.now = { now }
        let directory = NSTemporaryDirectory() + "machine-\(UUID().uuidString)"
        store = try HouseholdStore(directory: directory, now: Self.now, log: Self.log)
        identity = NodeIdentity(
            name: name, version: "1", directory: directory, log: Self.log, now: self.now)
    }

    /// Begins with what its file says.
    func start() throws {
        let file = try ClusterFile.read(directory: identity.directory) ?? file
        let replica = try Replica(
            #require(file), directory: identity.directory, store: store, version: "1", log: Self.log,
            patience: .long, now: now)
        replica.whenCounted { [store] in try store.joinUsage($0) }
        try replica.start()
        self.replica = replica
    }

    func stop() {
        replica?.stop()
        replica = nil
    }

    func count(_ masks: HourMask...) throws { try store.joinUsage(masks) }

    func has(_ masks: HourMask...) throws -> Bool {
        let stored = Set(try store.usageHours(latest: 3_000, at: Self.now).joined())
        return masks.allSatisfy(stored.contains)
    }

    var isLinked: Bool { replica?.isLinked == true }

    deinit {
        replica?.stop()
        try? FileManager.default.removeItem(atPath: identity.directory)
    }
}

private struct NotYet: Error {}

/// Waits for something that happens within seconds.
func eventually(_ isSo: () throws -> Bool) throws {
    try EtcdClientTests.wait { if !(try isSo()) { throw NotYet() } }
}
