import DNS
import Directory
import Foundation
import LocalNetwork
import Logging
import Policy
import Synchronization
import Testing

@testable import Enforcement
@testable import SleepInducer

/// The world of one gateway, in the test's hand.
final class GatewayWorld: Sendable {
    struct State {
        var now = ContinuousClock.now
        var snapshot: Snapshot?
        var answers: [AnsweredName] = []
        var applied: [GatewayRules] = []
        var removed = 0
        var isRestart = false
        var isInForce = true
        var failure: String?
        var detours: [String] = []
        var kept: [String: String] = [:]
        var closed: [ClientAddress: Set<ClientAddress>] = [:]
        /// Of each round of forgetting, after how many sets of rules it came, and whether packets may pass by them.
        var cleared: [(after: Int, hasDetours: Bool)] = []
        var running = 0
        var clearingFails: String?
    }

    struct Refused: Error, CustomStringConvertible { let description: String }

    let state = Mutex(State())
    let condition = Condition()

    func gateway(upstreams: Set<String> = []) -> Gateway {
        let facts = Gateway.Facts(
            interfaces: ["br0"], encryptedResolvers: ["8.8.8.8"],
            isEncryptedResolver: { $0 == "dns.example" }, upstreams: { upstreams },
            standsBeforeRules: { _ in false },
            snapshot: { self.state.withLock { $0.snapshot } },
            desk: { .init(v4: "10.0.0.254", v6: nil, port: 53) },
            answers: {
                self.state.withLock { state in
                    defer { state.answers = [] }
                    return state.answers
                }
            }, closed: { closed in self.state.withLock { $0.closed = closed } })
        let kernel = Gateway.Kernel(
            apply: { rules in
                try self.state.withLock { state in
                    if let failure = state.failure { throw Refused(description: failure) }
                    state.applied.append(rules)
                    state.isInForce = true
                }
            }, remove: { self.state.withLock { $0.removed += 1 } },
            survey: {
                self.state.withLock { .init(isInForce: $0.isInForce, detours: $0.detours) }
            },
            rejected: { self.state.withLock { $0.kept } },
            clear: { rules, hasDetours in
                try self.state.withLock { state in
                    if let failure = state.clearingFails { throw Refused(description: failure) }
                    #expect(rules == state.applied.last, "the rules are in force before")
                    state.cleared.append((state.applied.count, hasDetours))
                    state.now += .milliseconds(500)
                    return .init(deleted: 0, left: state.running)
                }
            }, isRestart: { self.state.withLock { $0.isRestart } }, obstacles: { _ in [] })
        return Gateway(
            facts, kernel: kernel, now: { self.state.withLock { $0.now } }, condition: condition,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    func answer(_ name: String, _ address: String, to client: String = "10.0.0.2") {
        state.withLock {
            $0.answers.append(
                AnsweredName(
                    name: name, addresses: [ClientAddress(address)!], client: ClientAddress(client)!))
        }
    }

    func pass(_ seconds: Int) { state.withLock { $0.now += .seconds(seconds) } }

    /// Me asleep or not, on a phone.
    func holds(_ revision: Int, isAsleep: Bool) throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let me = PersonID(rawValue: 1)
        var household = Household(
            timeZone: "UTC",
            people: [Person(id: me, name: "Me", allowed: AppSelection(domains: ["calm.example"]))],
            devices: [
                Device(
                    id: DeviceID(rawValue: 1), name: "Phone", person: me, addresses: ["10.0.0.2"],
                    hardwareAddress: "02:00:00:00:00:02", firstSeen: now, lastSeen: now),
                Device(
                    id: DeviceID(rawValue: 2), name: "Doorbell", addresses: ["10.0.0.3"], firstSeen: now,
                    lastSeen: now),
            ])
        if isAsleep {
            try household.startSession(me, durationMinutes: 60, strictness: .strict, id: UUID(), at: now)
        }
        let snapshot = Snapshot(
            revision: revision, instant: now, household: household,
            catalog: Catalog(categories: [], apps: [], alwaysReachable: []),
            verdicts: household.evaluate(at: now))
        state.withLock { $0.snapshot = snapshot }
    }

    var applied: [GatewayRules] { state.withLock { $0.applied } }
    var rejected: [String: String]? { applied.last?.groups.first?.rejected }
}
