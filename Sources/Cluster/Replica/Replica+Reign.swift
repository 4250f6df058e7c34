package import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Store
import Synchronization

// Another machine may have begun to lead while this one, or its etcd, was away. So a machine asks those that it does
// not hear: at its start before it believes its etcd, and then every few seconds.

extension Replica {
    /// Seconds from one round to the next.
    static let othersAreAskedEvery = 5
    private static let patience = TimeAmount.milliseconds(1500)

    /// For a node that asks which reign it is now; nil: there is nothing to tell it.
    package func letter(to number: Int) -> Data? {
        guard !state.withLock({ $0.roll.members[number]?.hasLeft ?? true }) else { return nil }
        var file = file.withLock { $0 }
        file.keys = vault.current
        return try? file.letter(to: number)
    }

    /// Once a second, on `pulse`: at first it waits for the answers.
    func askOthersInTime() {
        let left = state.withLock { state -> Int? in
            let left = state.untilAsked
            guard left ?? 0 <= 0 else {
                state.untilAsked = left.map { $0 - 1 }
                return left
            }
            guard !state.isAsking else { return 1 }
            (state.untilAsked, state.isAsking) = (Self.othersAreAskedEvery, true)
            return left
        }
        guard left ?? 0 <= 0 else { return }
        let ask: @Sendable () -> Void = { [self] in
            askOthers()
            state.withLock { $0.isAsking = false }
        }
        if left == nil { asking.sync(execute: ask) } else { asking.async(execute: ask) }
    }

    /// Asks the nodes that are not heard, and follows the latest reign that one of them knows.
    func askOthers() {
        let file = file.withLock { $0 }
        let silent = state.withLock { state in
            state.roll.members.filter { number, member in
                number != node && !member.hasLeft
                    && !(state.isLinked && state.roll.alive.contains(number))
            }
        }
        let urls = silent.values.compactMap(\.address).map { "\($0)/reign/\(node)" }
        let letters = PeerServers.answers(from: urls, within: Self.patience).filter { $0.status == .ok }
            .compactMap { file.opened($0.body) }
        guard
            let latest = letters.max(by: { ($0.reign, $0.keys.newest) < ($1.reign, $1.keys.newest) })
        else { return }
        hearing.sync {
            let present = self.file.withLock { $0.presentReign }
            if present == latest.reign { takeAccess(latest) }
            guard present < latest.reign else { return }
            do { try follow(latest) } catch {
                log.error(
                    "Another machine leads now, and cannot be followed", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Another machine was taken out while this one was off, and etcd's users are others. On `hearing`.
    private func takeAccess(_ letter: ReignLetter) {
        guard letter.keys.newest > vault.current.newest,
            state.withLock({ !$0.isLinked && $0.fault == .etcd(.ownRefuses) })
        else { return }
        use(letter.etcd)
    }

    /// From now on etcd is reached in another way. On `hearing`.
    func use(_ access: EtcdAccess) {
        guard file.withLock({ $0.etcd }) != access, let new = try? EtcdClient(access, patience: patience)
        else { return }
        use(new) { $0.etcd = access }
    }

    /// Goes over to another node's etcd. What only this node's reign took is merged as what a cut-off node took. On
    /// `hearing`.
    func follow(_ letter: ReignLetter) throws {
        guard let fork = letter.reign.fork, let known = store.head else { return }
        log.notice("Another machine leads now", metadata: ["reign": "\(letter.reign.number)"])
        let new = try EtcdClient(letter.etcd, patience: patience)
        do {
            cutOff(.other("Another machine leads now, and this one joins it"))
            let base = known.number > fork.number ? try texts(after: fork, new, letter.keys) : nil
            let stories = base == nil ? [] : stories(after: fork)
            try store.goBack(
                to: Head(revision: 0, number: fork.number, chain: fork.chain), base, telling: stories)
        } catch {
            new.close()
            throw error
        }
        _ = vault.take(letter.keys)
        use(new) { file in
            file.keys.take(letter.keys)
            (file.etcd, file.reign) = (letter.etcd, letter.reign)
        }
        let own = OwnEtcd(directory: directory)
        guard own.isHere else { return }
        do { try own.remove() } catch {
            log.error("The etcd on this machine cannot be stopped", metadata: ["error": "\(error)"])
        }
    }

    /// From now on another etcd is asked.
    private func use(_ new: EtcdClient, _ change: (inout ClusterFile) -> Void) {
        keep(change)
        let old = connection.withLock { client in
            defer { client = new }
            return client
        }
        state.withLock { state in
            (state.roll.lease, state.roll.age, state.newest) = (nil, 60, 0)
            state.minutes.newest = nil
        }
        asking.async { old.close() }
    }

    private func texts(
        after fork: Reign.Fork, _ client: EtcdClient, _ keys: HouseholdKeys
    ) throws -> [String: String] {
        let vault = Vault(keys)
        var texts: [String: String] = [:]
        for (key, value) in try client.all(under: place.forks).values {
            guard let name = place.rest(of: key, after: place.forks) else { continue }
            texts[name] = vault.text(value.bytes, at: key)
        }
        guard Proof.digest(texts) == fork.texts else { throw ClusterFault.foreignRecords }
        return texts
    }

    /// What this node's reign told after a change, as far as its etcd can still be asked.
    private func stories(after fork: Reign.Fork) -> [String] {
        guard let found = try? client.all(under: place.stories, from: place.story(fork.number + 1)) else {
            log.warning("Lines of the log may be missing on other machines")
            return []
        }
        return found.values.sorted { $0.key < $1.key }.compactMap { key, value in
            let told: StoryValue? = vault.value(value.bytes, at: key, isProven: true)
            return told?.story
        }
    }

    /// This machine leads from now on, with an etcd that `begin` makes.
    package func lead(_ begin: () throws -> EtcdAccess) throws {
        try pulse.sync {
            guard !state.withLock({ $0.isLinked }) else {
                throw ClusterFault.other(
                    "This machine is in touch with the machine that leads. Nothing was changed.")
            }
            askOthers()
            let (file, isStopped) = (file.withLock { $0 }, state.withLock { $0.timer == nil })
            guard !isStopped else { throw ClusterFault.other("The server stops.") }
            try hearing.sync {
                guard file.presentReign == self.file.withLock({ $0.presentReign }) else {
                    throw ClusterFault.other("Another machine leads already, and this one joins it now.")
                }
                var roll = state.withLock { $0.roll.members.filter { !$0.value.hasLeft } }
                roll[node] = file.own(version, address())
                let access = try begin()
                let new = try EtcdClient(access, patience: patience)
                do {
                    let led = try Nodes.lead(store, file, roll, with: access, directory: directory)
                    use(new) { $0 = led }
                } catch {
                    new.close()
                    throw error
                }
                link()
            }
        }
        log.notice("This machine leads now")
    }
}
