package import Foundation
import Glibc

/// Which machines decide.
///
/// An odd number of members votes, because an even number is no safer: of two, none may be away. So a new member
/// has a copy and no vote, until the next one comes; then both vote.
extension OwnEtcd {
    /// What became of a wish to vote.
    package enum Vote: Sendable {
        /// So many machines vote.
        case votes(of: Int)
        /// It has a copy, and votes as soon as another machine is to vote too.
        case waits
    }

    /// Begins an etcd with this machine as its only member, with new secrets, certificates and passwords. If it cannot be
    /// begun, nothing of it stays.
    ///
    /// - Returns: how all machines of the household reach it.
    package func begin(at address: String, as node: Int, now: Date) throws -> EtcdAccess {
        // What an earlier household left.
        try remove()
        if let obstacle = obstacle(at: address) { throw ClusterFault.other(obstacle) }
        do {
            let secrets = try EtcdSecrets(at: now)
            let access = try secrets.access(at: Self.url(address, Self.ports.clients), now: now)
            try prepare(as: node, at: address, secrets, among: nil, now: now)
            try start()
            var open = access
            (open.user, open.password) = (nil, nil)
            try waitUntilLed(open)
            try Nodes.within(open) {
                try $0.enableAuthentication(root: secrets.root(access), household: access)
            }
            return access
        } catch {
            try? remove()
            throw error
        }
    }

    /// Makes this machine, which belongs to the household, a member of its etcd. If it cannot be, nothing of it stays.
    package func join(_ file: ClusterFile, at address: String, now: Date) throws -> Vote {
        guard file.etcd.isOwn == true, let secrets = EtcdSecrets.read(directory: directory) else {
            throw ClusterFault.other(
                "This household's etcd is none of its own: whoever runs it adds members to it.")
        }
        if let obstacle = obstacle(at: address) { throw ClusterFault.other(obstacle) }
        let peer = Self.url(address, Self.ports.peers)
        return try Nodes.within(secrets.root(file.etcd)) { client in
            try Self.promote(client)
            let members = try Self.patiently { () throws(EtcdFault) in try client.addLearner(at: peer) }
            do {
                try prepare(as: file.node, at: address, secrets, among: members, now: now)
                try start()
                var own = file.etcd
                own.endpoints = [Self.url(address, Self.ports.clients)]
                // A member without a vote checks no password yet.
                (own.user, own.password) = (nil, nil)
                try waitUntilLed(own)
                guard members.filter(\.votes).count % 2 == 0 else { return .waits }
                try Self.promote(client)
                return .votes(of: members.count)
            } catch {
                try? removePart()
                try? quit(client, peer: peer)
                throw error
            }
        }
    }

    /// Takes a node's member out, if it has one, so that the others decide without it. `client` asks the others then.
    ///
    /// - Throws: `onlyVoice` if nobody else could decide.
    func takeOut(_ node: Int, _ client: EtcdClient) throws {
        let members = try client.members()
        guard let member = members.first(where: { $0.name == Self.name(of: node) }) else { return }
        if member.votes, members.filter(\.votes).count == 1 {
            guard members.count > 1 else { throw ClusterFault.onlyVoice }
            try Self.promote(client)
        }
        // A member that is out answers nobody.
        client.use(members.filter { $0 != member }.endpoints)
        try Self.patiently { () throws(EtcdFault) in try client.remove(member) }
    }

    /// Gives a vote to all that wait for one.
    private static func promote(_ client: EtcdClient) throws {
        for member in try client.members() where !member.votes {
            try patiently { () throws(EtcdFault) in try client.promote(member) }
        }
    }

    private func quit(_ client: EtcdClient, peer: String) throws {
        for member in try client.members() where member.peerURLs?.contains(peer) == true {
            try Self.patiently { () throws(EtcdFault) in try client.remove(member) }
        }
    }

    /// etcd changes its members only while all are in touch, and nobody lags behind.
    private static func patiently<Value>(_ body: () throws(EtcdFault) -> Value) throws -> Value {
        let limit = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < limit {
            do throws(EtcdFault) { return try body() } catch {
                guard error.passes else { throw error }
                usleep(500_000)
            }
        }
        do throws(EtcdFault) { return try body() } catch {
            guard error.passes else { throw error }
            throw ClusterFault.incompleteVote
        }
    }
}

extension EtcdFault {
    /// Whether a change of members may be taken a little later.
    fileprivate var passes: Bool {
        switch self {
        case .unreachable, .noLeader: true
        case .other(let words): words.contains("in sync") || words.contains("unhealthy")
        default: false
        }
    }
}
