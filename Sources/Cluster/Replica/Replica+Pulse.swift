import Foundation
import Logging
import Store
import Synchronization

extension Replica {
    private static let leaseSeconds: Int64 = 10
    /// In etcd; some months of a busy household.
    private static let storiesKept: Int64 = 20_000
    /// So often, in seconds, it asks where the members of the household's own etcd are.
    private static let membersAreAskedEvery = 10
    /// Seconds from one look for what is too old in etcd to the next: to remove nothing is a write too.
    private static let tidyPeriod = 3_600

    /// Every second, on `pulse`: whether etcd answers, whether this node heard all, and that this node is there.
    func look() {
        askOthersInTime()
        guard state.withLock({ $0.isLinked }) else { return hearing.sync { link() } }
        makeRoomInTime()
        do {
            guard let found = try client.value(of: place.head).values[place.head]?.revision else {
                return cutOff(.noHousehold)
            }
            let heard = (store.head ?? .none).revision
            let isElsewhere = client.endpoint != state.withLock { $0.endpoint }
            let lag = state.withLock { state in
                state.lag = state.newest > heard ? state.lag + 1 : 0
                state.newest = found
                return state.lag
            }
            if isElsewhere || lag > 2 { hearing.async { [self] in linkAnew() } }
            try signOn()
            try mend()
            // Otherwise it would be told each second that the disk does not keep that it was told.
            if store.isUntold, !store.isBehind {
                try store.tellOthers()
                log.notice("The other machines were told what happened here")
            }
            try store.takeOverLetters(of: isGone)
            try store.followClocks()
            try exchangeMinutes()
            complain(nil)
        } catch let fault as EtcdFault {
            note(fault)
            if fault.isWorthAnotherEndpoint { cutOff(.etcd(fault)) } else { complain("\(fault)") }
        } catch { complain("\(error)") }
    }

    /// Once, not every second.
    private func complain(_ words: String?) {
        let isNews = state.withLock { state in
            defer { state.complaint = words }
            return state.complaint != words
        }
        if isNews, let words {
            log.warning(
                "The other machines cannot be told what happened here", metadata: ["reason": "\(words)"])
        }
    }

    /// Says that this node is there: by a lease while it is, and by what it knows now and then.
    private func signOn() throws(EtcdFault) {
        var lease = state.withLock { $0.roll.lease }
        if let held = lease {
            do { try client.keepAlive(lease: held) } catch .noLease { lease = nil }
        }
        if lease == nil {
            let new = try client.lease(seconds: Self.leaseSeconds)
            _ = try commit(EtcdTransaction(puts: [place.alive(node): Data("1".utf8)], lease: new))
            lease = new
        }
        if state.withLock({ $0.roll.age }) % Self.membersAreAskedEvery == 0 { try learnEndpoints() }
        let number = store.head?.number ?? 0
        let (isDue, isTidying) = state.withLock { state in
            state.roll.lease = lease
            state.roll.age += 1
            state.roll.looks += 1
            // Every minute, and five seconds after a change: a disk of a small machine is written on each.
            let isDue = state.roll.age >= 60 || number != state.roll.number && state.roll.age >= 5
            return (isDue, state.roll.looks % Self.tidyPeriod == 60)
        }
        if isTidying {
            // Every node's log has them; a new node needs no older ones.
            try client.deleteAll(from: place.story(0), to: place.story(max(0, number - Self.storiesKept)))
            try forgetMinutes()
        }
        guard isDue else { return }
        _ = try commit(EtcdTransaction(puts: ownRecord()))
        let places = try client.places()
        state.withLock { $0.places = places }
    }

    /// What this node says of itself, to be told at once.
    func ownRecord() -> [String: Data] {
        let number = store.head?.number ?? 0
        let value = MemberValue(
            name: file.withLock { $0.nodeName }, version: version, number: number,
            clock: clock.instant().timeIntervalSince1970, isSynchronised: clock.isSynchronised(),
            time: now().timeIntervalSince1970, publicKey: publicKey, address: address(), proves: true)
        guard let sealed = try? vault.seal(value, at: place.node(node)) else { return [:] }
        state.withLock { ($0.roll.age, $0.roll.number) = (0, number) }
        return [place.node(node): sealed]
    }

    private var publicKey: Data { NodeKey(raw: file.withLock { $0.privateKey })?.publicKey ?? Data() }

    /// Of the household's own etcd: machines begin to vote, and end.
    private func learnEndpoints() throws(EtcdFault) {
        let known = file.withLock { $0.etcd }
        guard known.isOwn == true else { return }
        let endpoints = try client.members().endpoints
        guard !endpoints.isEmpty, Set(endpoints) != Set(known.endpoints) else { return }
        client.use(endpoints)
        keep { $0.etcd.endpoints = endpoints }
        log.notice(
            "The household's etcd is on other machines now",
            metadata: ["etcd": "\(endpoints.joined(separator: ","))"])
    }

    func signOff() {
        guard let lease = state.withLock({ $0.roll.lease }) else { return }
        try? client.end(lease: lease)
    }
}
