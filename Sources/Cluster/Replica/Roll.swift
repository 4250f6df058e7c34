package import Foundation
import Logging
package import Policy
import Store
import Synchronization

/// Who is there, as far as this node knows.
struct Roll {
    /// This node's own.
    var lease: Int64?
    /// Seconds since this node said what it knows; at first it does so at once.
    var age = 60
    /// Seconds in which this node was there.
    var looks = 0
    /// What it said.
    var number: Int64 = -1
    var members: [Int: MemberValue] = [:]
    var alive: Set<Int> = []
    /// Since when each is missing.
    var missingSince: [Int: Date] = [:]
    /// Since when each is there.
    var hereSince: [Int: Date] = [:]
    /// By how many seconds others' clocks are ahead.
    var clocks: [Int: Double] = [:]
    /// By how many seconds this node's time is ahead of others'.
    var leads: [Int: TimeInterval] = [:]
    /// When each said something last.
    var heard: [Int: Date] = [:]
    /// How many seconds the last change of another machine took until it held here, by both clocks.
    var delay: Double?

    /// Who is not there is missing from now on, unless it was missing already.
    mutating func noteMissing(at instant: Date) {
        for number in members.keys where !alive.contains(number) {
            missingSince[number] = missingSince[number] ?? instant
        }
        for number in members.keys where !alive.contains(number) { hereSince[number] = nil }
        for number in alive {
            missingSince[number] = nil
            hereSince[number] = hereSince[number] ?? instant
        }
    }

    /// At the start: who was there before.
    init(of file: ClusterFile) { members = (file.others ?? [:]).mapValues(\.member) }

    init() {}
}

extension Replica {
    /// All machines, by their numbers. A machine that hears nobody knows of no other that it is there.
    package var members: [HouseMachine] {
        let (roll, places, isLinked, since) = state.withLock {
            ($0.roll, $0.places, $0.isLinked, $0.since)
        }
        let newest = max(store.head?.number ?? 0, roll.members.values.map(\.number).max() ?? 0)
        var members = roll.members
        members[node] = members[node] ?? file.withLock { $0.own(version, address()) }
        return members.filter { !$0.value.hasLeft }.sorted { $0.key < $1.key }.map { number, value in
            let isThisOne = number == node
            let isHere = isThisOne || isLinked && roll.alive.contains(number)
            let known = isHere ? roll.hereSince[number] : roll.missingSince[number]
            return HouseMachine(
                node: number, name: value.name, version: isThisOne ? version : value.version,
                role: places?.role(of: value, number: number),
                behind: newest - (isThisOne ? store.head?.number ?? 0 : value.number),
                isHere: isHere, since: isThisOne ? (isLinked ? since : nil) : known ?? since,
                heard: isThisOne ? nil : roll.heard[number],
                clockAhead: isThisOne ? nil : roll.clocks[number], isThisOne: isThisOne)
        }
    }

    package func lead(over node: Int) -> TimeInterval? { state.withLock { $0.roll.leads[node] } }

    /// What pages, programs and `doctor` say of the machines.
    package var machines: HouseMachines {
        let (isLinked, fault, refusal, strangers) = state.withLock {
            ($0.isLinked, $0.fault, $0.refusal, $0.strangers)
        }
        return HouseMachines(
            members, cutOff: isLinked ? nil : fault?.onAPage ?? .init(reason: "it has not reached them yet"),
            refusal: isLinked ? refusal.map { ClusterFault.etcd($0).onAPage } : nil, strangers: strangers,
            mayLead: !isLinked && fault?.isPerhapsForGood == true)
    }

    /// Seconds of silence after which other nodes send what a node did not send.
    private static let patience: TimeInterval = 60

    /// Whether another node left, or is silent for so long that others do its work.
    func isGone(_ number: Int) -> Bool {
        let instant = now()
        return state.withLock { state in
            // This build cannot read every record of a newer node; such a node is not known to be gone.
            guard number != node, let member = state.roll.members[number] else { return false }
            return member.hasLeft
                || state.roll.missingSince[number].map { instant.timeIntervalSince($0) >= Self.patience }
                    ?? false
        }
    }

    /// Returns whether this node is on the roll.
    func takeRoll(_ values: [String: EtcdReading.Value]) throws -> Bool {
        var members: [Int: MemberValue] = [:]
        var alive: Set<Int> = []
        for (key, value) in values {
            if let number = place.number(of: key, after: "node/") {
                members[number] = vault.value(value.bytes, at: key)
            } else if let number = place.number(of: key, after: "alive/") {
                alive.insert(number)
            }
        }
        let instant = now()
        state.withLock { state in
            state.roll.members = members
            state.roll.alive = alive
            state.roll.noteMissing(at: instant)
        }
        keep { $0.note(members) }
        return members[node]?.hasLeft == false
    }

    /// What changed on the roll.
    func noteRoll(_ news: EtcdNews) {
        let instant = now()
        for (key, value) in news.puts {
            if let number = place.number(of: key, after: "node/"),
                let member: MemberValue = vault.value(value.bytes, at: key)
            {
                state.withLock { state in
                    state.roll.members[number] = member
                    state.roll.heard[number] = instant
                    state.roll.clocks[number] = member.clock - clock.instant().timeIntervalSince1970
                    state.roll.leads[number] = instant.timeIntervalSince1970 - (member.time ?? member.clock)
                }
                if number != node, member.isSynchronised == true {
                    clock.heard(Date(timeIntervalSince1970: member.clock))
                }
                if number == node, member.hasLeft { cutOff(.takenOut) }
                keep { $0.note([number: member]) }
            } else if let number = place.number(of: key, after: "alive/") {
                state.withLock { state in
                    state.roll.alive.insert(number)
                    // A node that began must know what time it is here.
                    if number != node { state.roll.age = 60 }
                }
            }
        }
        for key in news.deletions {
            guard let number = place.number(of: key, after: "alive/") else { continue }
            state.withLock { state in
                state.roll.alive.remove(number)
                // Another process of this node let it end.
                if number == node { state.roll.lease = nil }
            }
        }
        state.withLock { $0.roll.noteMissing(at: instant) }
    }
}

extension EtcdKeys {
    /// The number in `node/3` and `alive/3`.
    func number(of key: String, after beginning: String) -> Int? {
        rest(of: key, after: now + beginning).flatMap { Int($0) }
    }
}
