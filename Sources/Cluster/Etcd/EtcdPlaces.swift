import Foundation
import Policy

/// On which machines members of etcd run.
package struct EtcdPlaces: Hashable, Sendable {
    /// Those that vote.
    private let voters: [EtcdMember]
    private let leader: String?

    init(_ members: [EtcdMember], leader: String?) {
        voters = members.filter(\.votes)
        self.leader = leader
    }

    /// What a node's machine does for the order of changes; nil: it does not say where it is.
    func role(of node: MemberValue, number: Int) -> HouseMachine.Role? {
        let host = node.address.flatMap { URL(string: $0)?.host() }
        let own = voters.filter { member in
            member.name == OwnEtcd.name(of: number)
                || (member.clientURLs ?? []).contains { host != nil && URL(string: $0)?.host() == host }
        }
        if own.contains(where: { $0.id == leader }) { return .leads }
        return own.isEmpty ? (host == nil ? nil : .follows) : .votes
    }
}

extension EtcdClient {
    /// Where its members are.
    package func places() throws(EtcdFault) -> EtcdPlaces {
        let status: MaintenanceAnswer = try call("maintenance/status", Nothing())
        return EtcdPlaces(try members(), leader: status.leader)
    }
}
