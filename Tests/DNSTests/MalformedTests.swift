import Directory
import Testing

@testable import DNS

/// Packets that no well-meaning client sends, by name, with the exact reply to each.
@Suite struct MalformedTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let packet: [UInt8]
        /// Empty for silence.
        let reply: [UInt8]

        var testDescription: String { name }

        init(_ name: String, _ packet: [UInt8], _ reply: [UInt8]) {
            self.name = name
            self.packet = packet
            self.reply = reply
        }
    }

    private static func header(_ flags: UInt16 = 0x0100, _ counts: UInt16...) -> [UInt8] {
        Message.words(0xabcd, flags) + counts.flatMap { Message.words($0) }
    }

    private static let root: [UInt8] = [0]
    private static let aIN = Message.words(1, 1)
    private static let opt = root + Message.words(41, 1232, 0, 0, 0)
    private static let name = Message.wireName("a.example")
    private static let formErr = Message.words(0xabcd, 0x8101, 0, 0, 0, 0)
    private static let notImp = Message.words(0xabcd, 0x8104, 0, 0, 0, 0)
    private static let label63 = [UInt8(63)] + Array(repeating: UInt8(0x61), count: 63)

    private static func question(_ name: [UInt8]) -> [UInt8] { header(0x0100, 1, 0, 0, 0) + name + aIN }

    private static func additional(_ count: UInt16, _ records: [UInt8]) -> [UInt8] {
        header(0x0100, 1, 0, 0, count) + name + aIN + records
    }

    static let silent: [Case] = [
        Case("empty", [], []),
        Case("eleven bytes", Array(header(0x0100, 1, 0, 0, 0)[..<11]), []),
        Case("a response", header(0x8180, 1, 0, 0, 0) + name + aIN, []),
        Case("a response with an opcode", header(0xa800, 1, 0, 0, 0) + name + aIN, []),
    ]

    static let names: [Case] = [
        Case("question missing", header(0x0100, 1, 0, 0, 0), formErr),
        Case("no question", header(0x0100, 0, 0, 0, 0), formErr),
        Case("two questions", header(0x0100, 2, 0, 0, 0) + name + aIN + name + aIN, formErr),
        Case("name without end", header(0x0100, 1, 0, 0, 0) + [3, 0x61, 0x62], formErr),
        Case("name without root", header(0x0100, 1, 0, 0, 0) + [1, 0x61], formErr),
        Case("type missing", header(0x0100, 1, 0, 0, 0) + name, formErr),
        Case("class cut short", header(0x0100, 1, 0, 0, 0) + name + [0, 1, 0], formErr),
        Case("pointer to itself", question([0xc0, 0x0c]), formErr),
        Case("pointer loop behind a label", question([1, 0x61, 0xc0, 0x0c]), formErr),
        Case("pointer forward", question([0xc0, 0x10]), formErr),
        Case("pointer into the header", question([0xc0, 0x00]), formErr),
        Case("pointer cut short", header(0x0100, 1, 0, 0, 0) + [0xc0], formErr),
        Case("label type 01", question([0x41, 0x61, 0]), formErr),
        Case("label type 10", question([0x81, 0x61, 0]), formErr),
        Case(
            "name of 256 bytes", question(label63 + label63 + label63 + [62] + label63[1..<63] + [0]), formErr
        ),
        Case(
            "name of 129 labels", question(Array(repeatElement([1, 0x61], count: 128).joined()) + [0]),
            formErr),
    ]

    static let records: [Case] = [
        Case("two OPTs", additional(2, opt + opt), formErr),
        Case("OPT with a name", additional(1, name + opt.dropFirst()), formErr),
        Case("OPT in the answer section", header(0x0100, 1, 1, 0, 0) + name + aIN + opt, formErr),
        Case("OPT cut short", additional(1, Array(opt.dropLast(1))), formErr),
        Case("OPT longer than the packet", additional(1, root + Message.words(41, 1232, 0, 0, 9)), formErr),
        Case(
            "option longer than OPT", additional(1, root + Message.words(41, 1232, 0, 0, 4, 10, 8)), formErr),
        Case("half an option", additional(1, root + Message.words(41, 1232, 0, 0, 2, 10)), formErr),
        Case("records missing", header(0x0100, 1, 0, 0, 65_535) + name + aIN, formErr),
        Case(
            "record with a pointer to itself", additional(1, [0xc0, 27] + Message.words(1, 1, 0, 0, 0)),
            formErr),
        Case(
            "record with a forward pointer", additional(1, [0xc0, 40] + Message.words(1, 1, 0, 0, 0)), formErr
        ),
        Case(
            "record with a pointer into the header", additional(1, [0xc0, 2] + Message.words(1, 1, 0, 0, 0)),
            formErr),
        Case("QTYPE 41", header(0x0100, 1, 0, 0, 0) + name + Message.words(41, 1), formErr),
    ]

    static let opcodes: [Case] = [
        Case("IQUERY", header(0x0900, 1, 0, 0, 0) + name + aIN, Message.words(0xabcd, 0x8904, 0, 0, 0, 0)),
        Case("STATUS", header(0x1100, 0, 0, 0, 0), Message.words(0xabcd, 0x9104, 0, 0, 0, 0)),
        Case("NOTIFY", header(0x2400, 1, 0, 0, 0) + name + aIN, Message.words(0xabcd, 0xa004, 0, 0, 0, 0)),
        Case("UPDATE", header(0x2800, 1, 0, 0, 0) + name + aIN, Message.words(0xabcd, 0xa804, 0, 0, 0, 0)),
        Case("opcode 15", header(0x7900, 1, 0, 0, 0) + [0xff], Message.words(0xabcd, 0xf904, 0, 0, 0, 0)),
    ]

    private static func refused(_ question: [UInt8]) -> Case {
        Case(
            "class or type \(question.suffix(4))", header(0x0100, 1, 0, 0, 0) + question,
            Message.words(0xabcd, 0x8185, 1, 0, 0, 0) + question)
    }

    static let refusals: [Case] = [
        refused(name + Message.words(1, 0)), refused(name + Message.words(16, 3)),
        refused(name + Message.words(1, 4)), refused(name + Message.words(1, 254)),
        refused(name + Message.words(1, 255)), refused(name + Message.words(252, 1)),
        refused(name + Message.words(251, 1)), refused(name + Message.words(250, 1)),
        refused(name + Message.words(0, 1)),
        Case(
            "EDNS version 1", additional(1, root + Message.words(41, 4096, 0x0001, 0, 0)),
            Message.words(0xabcd, 0x8180, 1, 0, 0, 1) + name + aIN + root
                + Message.words(41, 1232, 0x0100, 0, 0)),
        Case(
            "AXFR, its question echoed with its OPT",
            header(0x0100, 1, 0, 0, 1) + name + Message.words(252, 1) + opt,
            Message.words(0xabcd, 0x8185, 1, 0, 0, 1) + name + Message.words(252, 1) + opt),
    ]

    static let all = silent + names + records + opcodes + refusals

    @Test(arguments: all)
    func getsExactly(_ malformed: Case) {
        let reply = Asker().raw(malformed.packet)
        #expect(reply ?? [] == malformed.reply)
        #expect((reply?.count ?? 0) <= 3 * malformed.packet.count)
    }

    @Test func unknownOptionsAndFlagsAreIgnoredAndNotEchoed() {
        let options =
            Message.words(65_001, 3) + [1, 2, 3] + Message.words(10, 8) + Array(repeating: 7, count: 8)
        let packet =
            Message.words(0xabcd, 0x0170, 1, 0, 0, 1) + Message.wireName("localhost") + Self.aIN
            + Self.root + Message.words(41, 100, 0x0000, 0x7fff, UInt16(options.count)) + options
        let reply = Asker().raw(packet).map(Message.init)
        #expect(reply?.rcode == 0)
        #expect(reply?.answers.first?.address == "127.0.0.1")
        #expect(reply?.opt == Message.Record(type: 41, ttl: 0, data: []))
    }

    @Test func otherRecordsAndTrailingBytesAreIgnored() {
        let extra = [0xc0, 12] + Message.words(16, 1, 0, 0, 2) + [1, 0x61]
        let packet =
            Self.header(0x0100, 1, 0, 0, 2) + Message.wireName("localhost") + Self.aIN + extra + Self.opt
        #expect(Asker().raw(packet + [9, 9]).map(Message.init)?.answers.first?.address == "127.0.0.1")
    }

    @Test func strangersAreRefused() {
        let stranger = ClientAddress("203.0.113.9")!
        let asker = Asker()
        #expect(asker.ask("localhost", from: stranger)?.rcode == 5)
        asker.responder.apply(HomeNetworks(near: [AddressRange(ClientAddress("203.0.113.0")!, length: 24)]))
        #expect(asker.ask("localhost", from: stranger)?.rcode == 0)
    }
}
