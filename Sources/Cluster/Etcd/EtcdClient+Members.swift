import Foundation

/// One of etcd's members.
package struct EtcdMember: Decodable, Hashable, Sendable {
    /// A 64-bit number without a sign, as text.
    var id: String
    /// Nil: it has not begun yet.
    var name: String?
    var peerURLs: [String]?
    var clientURLs: [String]?
    /// It has a copy, and no vote.
    var isLearner: Bool?

    var votes: Bool { isLearner != true }
}

extension [EtcdMember] {
    /// Where clients ask. A member without a vote sends them to the next, until it has one.
    var endpoints: [String] { flatMap { $0.clientURLs ?? [] }.sorted() }
}

private struct EtcdMembersAnswer: Decodable { var members: [EtcdMember]? }
private struct NewEtcdMember: Encodable {
    var peerURLs: [String]
    var isLearner: Bool
}
private struct EtcdMemberID: Encodable { var id: String }
private struct EtcdUser: Encodable {
    var name: String
    var password: String
}
private struct EtcdUserName: Encodable { var name: String }
private struct EtcdUsersAnswer: Decodable { var users: [String]? }
private struct EtcdRole: Encodable { var name: String }
private struct EtcdGrant: Encodable {
    var user: String
    var role: String
}
private struct EtcdRight: Encodable {
    struct Range: Encodable {
        var permType = "READWRITE"
        var key: Data
        var rangeEnd: Data
    }

    var name: String
    var perm: Range
}

/// What etcd's administrators do.
extension EtcdClient {
    /// etcd's version and the bytes of its database, of the member that is asked, and whether it knows a leader.
    package func member() throws(EtcdFault) -> (version: String, bytes: Int64, isLed: Bool) {
        let answer: MaintenanceAnswer = try call("maintenance/status", Nothing())
        return (answer.version ?? "?", answer.dbSize?.value ?? 0, answer.leader ?? "0" != "0")
    }

    func members() throws(EtcdFault) -> [EtcdMember] {
        let answer: EtcdMembersAnswer = try call("cluster/member/list", Nothing())
        return answer.members ?? []
    }

    /// Adds a member without a vote; its own etcd is started afterwards.
    func addLearner(at peer: String) throws(EtcdFault) -> [EtcdMember] {
        let answer: EtcdMembersAnswer = try call(
            "cluster/member/add", NewEtcdMember(peerURLs: [peer], isLearner: true))
        return answer.members ?? []
    }

    func promote(_ member: EtcdMember) throws(EtcdFault) {
        let _: Nothing = try call("cluster/member/promote", EtcdMemberID(id: member.id))
    }

    func remove(_ member: EtcdMember) throws(EtcdFault) {
        let _: Nothing = try call("cluster/member/remove", EtcdMemberID(id: member.id))
    }

    /// From now on etcd serves only these: root everything, and the household's user what is the household's.
    func enableAuthentication(root: EtcdAccess, household: EtcdAccess) throws(EtcdFault) {
        let _: Nothing = try call("auth/role/add", EtcdRole(name: Self.role))
        let _: Nothing = try call(
            "auth/role/grant",
            EtcdRight(
                name: Self.role,
                perm: .init(key: Data(EtcdKeys.beginning.utf8), rangeEnd: Self.end(of: EtcdKeys.beginning))))
        try addUsers(root: root, household: household)
        let _: Nothing = try call("auth/enable", Nothing())
    }

    private static let role = "sleep-inducer"

    func addUsers(root: EtcdAccess, household: EtcdAccess) throws(EtcdFault) {
        for (access, role) in [(root, "root"), (household, Self.role)] {
            let name = access.user ?? ""
            let _: Nothing = try call(
                "auth/user/add", EtcdUser(name: name, password: access.password ?? ""))
            let _: Nothing = try call("auth/user/grant", EtcdGrant(user: name, role: role))
        }
    }

    /// Ends all other users. root stays, because etcd wants it, with a password that nobody knows.
    func endUsers(but kept: [EtcdAccess]) throws(EtcdFault) {
        let all: EtcdUsersAnswer = try call("auth/user/list", Nothing())
        for name in all.users ?? [] where !kept.contains(where: { $0.user == name }) {
            if name == "root" {
                let _: Nothing = try call(
                    "auth/user/changepw", EtcdUser(name: name, password: EtcdSecrets.password()))
            } else {
                let _: Nothing = try call("auth/user/delete", EtcdUserName(name: name))
            }
        }
    }
}
