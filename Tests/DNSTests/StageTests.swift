import Directory
import NIOCore
import Testing

@testable import DNS

/// Each stage alone: the questions that it ends, and what it passes to the next (`Pipeline.swift`).
@Suite struct StageTests {
    private static let blocking = Filter(
        table: NameTable(sets: [NameSet(suffixes: ["open.example"])]),
        groups: [
            .init(
                rules: [.init(set: 0, action: .forward), .init(action: .block(text: "asleep"))],
                ttlCeiling: 15)
        ],
        clients: [Asker.device: 0], untouched: [Asker.guest])

    /// The result of one stage: its outcome, what the next stages know, and the reply's RCODE.
    private struct Made {
        var outcome: Responder.Outcome?
        var pass: Pass
        var rcode: UInt16?
        var isPassedOn: Bool { outcome == nil }
    }

    /// - Parameter prepare: what earlier stages found out.
    private static func run<S: Stage>(
        _ stage: S.Type, _ packet: [UInt8], from client: ClientAddress = Asker.device,
        filter: Filter = blocking, resolution: Responder.Resolution? = nil,
        change: (inout Resolver.Configuration) -> Void = { _ in }, prepare: (inout Pass) -> Void = { _ in }
    ) throws -> Made {
        let asker = Asker(filter, change)
        let asking = Responder.Asking(client: client, endpoint: asker.own, isDatagram: true, now: asker.now)
        var target = [UInt8](repeating: 0, count: WireSize.message)
        // Reads the name; the answer of the whole pipeline does not matter.
        _ = packet.withUnsafeBytes { packet in
            target.withUnsafeMutableBytes { asker.responder.respond(packet, asking, into: $0) }
        }
        let question = asker.responder.question(packet)
        var pass = Pass(query: question.query, source: client, asking: asking, resolution: resolution)
        prepare(&pass)
        return packet.withUnsafeBytes { packet in
            target.withUnsafeMutableBytes { target in
                var reply = ReplyWriter(question.query, packet, MessageWriter(target))
                let outcome = stage.outcome(&pass, &reply, asker.responder)
                let rcode = reply.writer.count > 4 ? UInt16(target[3] & 15) : nil
                return Made(outcome: outcome, pass: pass, rcode: rcode)
            }
        }
    }

    @Test func versionsOfEDNSThatNobodySpeaksEndAtTheFirst() throws {
        var query = Message.query("a.example", edns: 1232)
        #expect(try Self.run(EDNSVersion.self, query).isPassedOn)
        query[query.count - 5] = 1
        #expect(try Self.run(EDNSVersion.self, query).rcode == 0, "BADVERS is 16")
    }

    @Test func admissionFindsTheClientAndRefusesStrangersAndTransfers() throws {
        let known = try Self.run(Admission.self, Message.query("a.example"))
        #expect(known.isPassedOn && known.pass.client.groups == [0])
        let guest = try Self.run(Admission.self, Message.query("a.example"), from: Asker.guest)
        #expect(guest.isPassedOn && guest.pass.client.groups.isEmpty)
        #expect(try Self.run(Admission.self, Message.query("a.example", 252)).rcode == 5)
        let stranger = try #require(ClientAddress("198.51.100.7"))
        #expect(try Self.run(Admission.self, Message.query("a.example"), from: stranger).rcode == 5)
    }

    @Test func ownNamesEndBeforeAnyRule() throws {
        #expect(try Self.run(DecidedNames.self, Message.query("pi")).rcode == 0)
        #expect(try Self.run(DecidedNames.self, Message.query("router.lan")).rcode == 3)
        #expect(try Self.run(DecidedNames.self, Message.query("a.example")).isPassedOn)
        let home = try Self.run(DecidedNames.self, Message.query("router.lan")) {
            $0.network.localUpstreams = [
                UpstreamServer(try! SocketAddress(ipAddress: "192.168.1.1", port: 53))
            ]
        }
        guard case .resolve(let lookup)? = home.outcome else { throw Client.Silence() }
        #expect(lookup.isLocal)
    }

    @Test func onlyWhoMayBeAnybodyEndsAtTheUnnamed() throws {
        #expect(try Self.run(Unnamed.self, Message.query("a.example")).isPassedOn)
        let unnamed = try Self.run(Unnamed.self, Message.query("a.example")) { _ in
        } prepare: {
            $0.isForwardedUnnamed = true
        }
        #expect(unnamed.rcode == 0, "what is closed to anybody leads here")
    }

    @Test func rulesBlockOrSayHowLongAnAnswerHolds() throws {
        func rules(_ name: String, of group: Int?) throws -> Made {
            try Self.run(Rules.self, Message.query(name)) { _ in
            } prepare: {
                $0.client.groups = [group].compactMap { $0 }
            }
        }
        #expect(try rules("a.example", of: 0).rcode == 0)
        let open = try rules("www.open.example", of: 0)
        #expect(open.isPassedOn && open.pass.passing.ceiling == 15 && open.pass.passing.isNoted)
        let untouched = try rules("a.example", of: nil)
        #expect(untouched.isPassedOn && untouched.pass.passing.ceiling == .max)
    }

    @Test("Of several devices that a client may be, each may close a name, and Help on one opens it")
    func severalDevices() throws {
        let card = MACAddress("02:00:00:00:00:01")!
        let table = NameTable(sets: [NameSet(suffixes: ["help.example"])])
        let helped = Filter.Group(rules: [.init(set: 0, action: .forward)])
        let closed = Filter.Group(rules: [.init(action: .block(text: "asleep"))])
        let entries = [
            DeviceDirectory.Entry(id: 1, hardware: [card], addresses: [Asker.device], isUnplaced: true),
            DeviceDirectory.Entry(id: 2, hardware: [card], addresses: []),
        ]
        let asker = Asker(
            Filter(
                table: table, groups: [helped, closed], directory: DeviceDirectory(entries),
                groupOfDevice: [1: 0, 2: 1]))
        asker.responder.apply(Neighbours([Asker.device: card]))
        #expect(asker.lookup(Message.query("call.help.example")) != nil)
        #expect(asker.lookup(Message.query("other.example")) == nil)
    }

    @Test func aQuestionThatWaitedIsJudgedByTheRulesOfNow() throws {
        let asker = Asker()
        let question = try #require(PendingQuery(Message.query("a.example", id: 9)))
        asker.responder.apply(Self.blocking)
        var target = [UInt8](repeating: 0, count: WireSize.datagram)
        let asking = Responder.Asking(
            client: Asker.device, endpoint: asker.own, isDatagram: true, now: asker.now)
        let (outcome, size) = target.withUnsafeMutableBytes {
            asker.responder.respond(to: question, asking, into: $0, .failed)
        }
        guard case .replied = outcome else { throw Client.Silence() }
        let reply = Message(Array(target[..<size]))
        #expect(reply.id == 9 && reply.answers.first?.address == "192.168.1.2")
    }
}
