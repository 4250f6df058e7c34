import Foundation
import Testing

@testable import Cluster

/// What lets a new machine in: a code that a person carries, and what the household hands out for it.
@Suite(.serialized)
struct InvitationTests {
    private static let secret = Data((0..<16).map { UInt8($0 * 15 + 1) })

    private static func code(_ pages: String = "http://192.168.1.11") throws -> InvitationCode {
        try #require(InvitationCode(at: pages, secret: secret))
    }

    @Test(
        "A code says where a machine is, and fits a line",
        arguments: [
            ("http://192.168.1.11", 47), ("http://10.0.0.2:8080", 47), ("http://[fd00::17]", 71),
            ("http://[2001:db8::1]:8080", 71),
        ])
    func round(_ pages: String, _ length: Int) throws {
        let code = try Self.code(pages)
        #expect(code.text.count == length)
        #expect(code.text.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber })
        let read = try InvitationCode(code.text)
        #expect(read == code && read.server == pages && read.secret == Self.secret)
        #expect(InvitationCode(at: "http://sleep.home.arpa", secret: Self.secret) == nil)
    }

    @Test("Who types a code may write it in capitals, in other groups, and O for 0 and L for 1")
    func typed() throws {
        let code = try Self.code()
        let text = code.text
        let forgiving = [
            text.uppercased(), text.replacingOccurrences(of: "-", with: ""),
            text.replacingOccurrences(of: "-", with: " "), " \(text)\n",
            text.replacingOccurrences(of: "0", with: "O").replacingOccurrences(of: "1", with: "l"),
        ]
        for typed in forgiving { #expect(try InvitationCode(typed) == code, "\(typed)") }
    }

    @Test("A code that is cut, or has another character anywhere, is none", arguments: [11, 200])
    func damaged(_ last: Int) throws {
        let text = try Self.code(last == 200 ? "http://[fd00::200]:8080" : "http://192.168.1.11").text
        for count in 0..<text.count {
            #expect(throws: ClusterFault.unknownCode) { try InvitationCode(String(text.prefix(count))) }
            #expect(throws: ClusterFault.unknownCode) {
                try InvitationCode(String(text.dropFirst(count + 1)))
            }
        }
        let characters = Array(text)
        for place in characters.indices where characters[place] != "-" {
            for other in "0123456789abcdefghjkmnpqrstvwxyzu!é" where other != characters[place] {
                var changed = characters
                changed[place] = other
                #expect(throws: ClusterFault.unknownCode) { try InvitationCode(String(changed)) }
            }
        }
        #expect(throws: ClusterFault.unknownCode) { try InvitationCode(text + "0") }
        #expect(ClusterFault.unknownCode.description.contains("Copy the whole code, or type it again."))
    }

    @Test("An invitation is handed out until a machine used it, or its time is over")
    func time() throws {
        let (etcd, client) = try EtcdClientTests.started()
        defer { withExtendedLifetime(etcd) { client.close() } }
        let (first, second) = (try Machine("first"), try Machine("second"))
        let file = try Nodes.begin(
            first.store, with: EtcdAccess(endpoints: [etcd.endpoint]), as: first.identity)
        first.file = file
        try first.start()
        try eventually { first.isLinked }
        let replica = try #require(first.replica)
        // One that is used.
        let used = try Nodes.invite(file, knowing: nil)
        #expect(throws: ClusterFault.self, "Nobody can ask a machine without an address.") {
            try replica.invite()
        }
        try eventually { try replica.invitation(used.id) != nil }
        #expect(try replica.invitation(used.id + "0") == nil && replica.invitation("") == nil)
        _ = try Nodes.join(used, second.store, as: second.identity)
        try eventually { try replica.invitation(used.id) == nil }
        // One whose time is over, also for a server that starts meanwhile.
        let late = try Nodes.invite(file, knowing: nil, seconds: 3)
        try Nodes.test(late)
        first.stop()
        try first.start()
        try eventually { try first.replica?.invitation(late.id) != nil }
        try eventually { try first.replica?.invitation(late.id) == nil }
        #expect(throws: ClusterFault.invitationOver) { try Nodes.test(late) }
        let third = try Machine("third")
        #expect(throws: ClusterFault.invitationOver) {
            try Nodes.join(late, third.store, as: third.identity)
        }
        #expect(ClusterFault.invitationOver.description.contains("Make a new one"))
    }
}
