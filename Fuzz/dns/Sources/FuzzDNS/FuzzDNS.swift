import Directory
import NIOCore

@testable import DNS

/// The first byte chooses the sender: a client over UDP or TCP, or an upstream. The results are checked by rules that
/// hold for every packet.
private struct Target {
    static let device = ClientAddress("192.168.1.20")!
    static let own = OwnAddresses(v4: ClientAddress("192.168.1.2"), v6: ClientAddress("fd00::2"))
    static let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    let responder: Responder

    init() {
        let names = NameTable(
            sets: [NameSet(suffixes: ["a", "b.c"], exact: ["c"]), NameSet(suffixes: ["www.a"])],
            apps: [AppNames(tag: 1, suffixes: ["a", "d.e"], pages: ["a", "www.a"])])
        let text = "asleep until 07:00"
        let group = Filter.Group(rules: [
            .init(set: 1, action: .nameError), .init(set: 0, action: .block(text: text)),
            .init(set: 0, inside: false, action: .forward),
        ])
        let filter = Filter(table: names, groups: [group], clients: [Self.device: 0])
        var configuration = DNS.Resolver.Configuration(upstreams: [])
        configuration.cacheBytes = 20_000
        let served = ServedNames(
            ownNames: ["sleep.home.arpa", "pi"], searchDomains: [], privateAnswersAllowed: [])
        responder = Responder(configuration, served: served, filter: filter)
    }

    func respond(
        _ packet: UnsafeRawBufferPointer, isDatagram: Bool, _ resolution: Responder.Resolution? = nil,
        check: (Responder.Outcome, UnsafeRawBufferPointer) -> Void
    ) {
        let asking = Responder.Asking(
            client: Self.device, endpoint: Self.own, isDatagram: isDatagram, now: Self.now)
        let room = isDatagram ? WireSize.datagram : WireSize.message
        let reply = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { reply.deallocate() }
        let (outcome, size): (Responder.Outcome, Int)
        if let resolution {
            let name = WireName()
            guard case .question(let query) = Query.read(packet, into: name) else { return }
            let question = PendingQuery(packet: [UInt8](packet), query: query, name: name)
            (outcome, size) = responder.respond(to: question, asking, into: reply, resolution)
        } else {
            (outcome, size) = responder.respond(packet, asking, into: reply)
        }
        check(outcome, UnsafeRawBufferPointer(rebasing: reply[..<size]))
    }

    /// A reply is a valid response to its query, and at most three times as long.
    func client(_ packet: UnsafeRawBufferPointer, isDatagram: Bool) {
        respond(packet, isDatagram: isDatagram) { outcome, reply in
            switch outcome {
            case .silence:
                precondition(
                    packet.count < 12 || packet[2] & 0x80 != 0, "only no queries are met with silence")
            case .resolve, .hold:
                precondition(reply.isEmpty)
            case .replied:
                check(reply, answers: packet)
                precondition(reply.count <= 3 * packet.count, "too long an answer")
            }
        }
        respond(packet, isDatagram: isDatagram, .failed) { outcome, reply in
            if case .resolve = outcome { preconditionFailure("nothing is left to ask") }
            if !reply.isEmpty { check(reply, answers: packet) }
        }
    }

    private func check(_ reply: UnsafeRawBufferPointer, answers packet: UnsafeRawBufferPointer) {
        precondition(reply.count >= 12 && reply.u16(0) == packet.u16(0) && reply[2] & 0x80 != 0)
        guard reply.u16(4) == 1 else { return precondition(reply.count == 12) }
        guard var offset = reply.endOfName(at: 12) else { preconditionFailure("the question is lost") }
        offset += 4
        precondition(reply[12..<offset].elementsEqual(packet[12..<offset]))
        for _ in 0..<Int(reply.u16(6)) + Int(reply.u16(8)) + Int(reply.u16(10)) {
            let end = skipName(reply, at: offset)
            precondition(end + 10 <= reply.count, "a record is cut short")
            offset = end + 10 + Int(reply.u16(end + 8))
        }
        precondition(offset == reply.count, "the counts do not agree with the records")
    }

    /// Finds the end of a name. The targets of its pointers are the upstream's affair.
    private func skipName(_ reply: UnsafeRawBufferPointer, at start: Int) -> Int {
        var offset = start
        while reply[offset] != 0 {
            if reply[offset] >= 0xc0 { return offset + 2 }
            offset += 1 + Int(reply[offset])
        }
        return offset + 1
    }

    /// Changes an upstream's message into the reply to its own question, caches it, and gives it to a client.
    func upstream(_ message: UnsafeRawBufferPointer) {
        let name = WireName()
        guard message.count >= 12, let end = name.read(message, at: 12), end + 4 <= message.count else {
            return
        }
        let question = UpstreamReply.SentQuery(
            name: name, type: message.u16(end), variant: 0, stripsPrivate: message[0] & 1 == 0)
        guard case .answer(let answer) = UpstreamReply.read(message, question) else { return }
        responder.cache.store(answer, for: name, at: Self.now)
        precondition(responder.cache.bytes <= 20_000)
        var query = [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1] as [UInt8]
        query += message[12..<end + 2] + [0, 1] + [0, 0, 41, 16, 0, 0, 0, 0, 0, 0, 0]
        query.withUnsafeBytes { packet in
            for isDatagram in [true, false] {
                respond(packet, isDatagram: isDatagram, .answer(answer)) { _, reply in
                    if !reply.isEmpty { check(reply, answers: packet) }
                }
            }
        }
    }
}

/// Two, because the bound on size holds for this server's own replies only, not for an upstream's answers.
nonisolated(unsafe) private let asked = Target()
nonisolated(unsafe) private let fed = Target()

private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: Arguments,
    _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The package manager calls an executable's `main` by this name, so the fuzzer's own is never reached.
@_cdecl("FuzzDNS_main")
public func start(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments) { fuzz($0, $1) }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard let mode = input.first else { return 0 }
    // A separate copy, so that the address sanitizer notices a read beyond its end.
    let packet = [UInt8](input.dropFirst())
    packet.withUnsafeBytes { bytes in
        switch mode & 3 {
        case 0, 1: asked.client(bytes, isDatagram: mode & 1 == 0)
        default: fed.upstream(bytes)
        }
    }
    return 0
}
