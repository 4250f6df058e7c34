import Directory
import NIOCore
import Testing

@testable import DNS

/// The server side of DNS over HTTPS (RFC 8484).
@Suite(.timeLimit(.minutes(1))) struct RequestTests {
    private static let media = "application/dns-message"
    private static let localhost = Message.query("localhost", id: 0)
    private static let encoded = "AAABAAABAAAAAAAACWxvY2FsaG9zdAAAAQAB"

    private static func with(
        _ filter: Filter = .empty, _ fakes: [FakeUpstream] = [],
        patience: TimeAmount = QueryRequests.patience,
        _ work: (RequestClient, House) async throws -> Void
    ) async throws {
        let house = try await House.open(fakes, filter: filter)
        let door = try await house.openRequests(patience: patience)
        let client = try await RequestClient.connect(to: try #require(door.localAddress))
        try await work(client, house)
        try? await client.close()
        try await door.close()
        await house.close()
    }

    struct Request: Sendable, CustomTestStringConvertible {
        var method = "POST"
        var path = "/dns-query"
        var type: String? = RequestTests.media
        var body: [UInt8]? = RequestTests.localhost
        var status: String
        var testDescription: String {
            "\(method) \(path.prefix(60)) \(type ?? "") \(body?.count ?? 0): \(status)"
        }
    }

    private static let requests = [
        Request(status: "200"),
        Request(type: "Application/DNS-message; charset=x", status: "200"),
        Request(method: "GET", path: "/dns-query?dns=\(encoded)", type: nil, body: nil, status: "200"),
        Request(method: "GET", path: "/dns-query?a=b&dns=\(encoded)&c", type: nil, body: nil, status: "200"),
        Request(path: "/dns-query/", status: "200"),
        Request(method: "GET", path: "/dns-query", type: nil, body: nil, status: "400"),
        Request(method: "GET", path: "/dns-query?dns=", type: nil, body: nil, status: "400"),
        Request(method: "GET", path: "/dns-query?dns=\(encoded)=", type: nil, body: nil, status: "400"),
        Request(method: "GET", path: "/dns-query?dns=A+/A", type: nil, body: nil, status: "400"),
        Request(method: "GET", path: "/dns-query?dns=AAABAAABA", type: nil, body: nil, status: "400"),
        Request(body: [], status: "400"), Request(body: [1, 2, 3], status: "400"),
        Request(body: Array(repeating: 0, count: 65_535), status: "200"),
        Request(body: Array(repeating: 0, count: 65_536), status: "413"),
        Request(type: nil, status: "415"), Request(type: "application/json", status: "415"),
        Request(method: "PUT", status: "405"), Request(method: "DELETE", body: nil, status: "405"),
        Request(method: "HEAD", path: "/dns-query?dns=\(encoded)", body: nil, status: "200"),
        Request(method: "HEAD", path: "/dns-query", body: nil, status: "400"),
        Request(path: "/dns-query/nobody", status: "404"), Request(path: "/dns-query/a/b", status: "404"),
        Request(path: "/dns-queryx", status: "404"), Request(path: "/", status: "404"),
    ]

    @Test(arguments: requests) func hasItsStatus(request: Request) async throws {
        try await Self.with { client, _ in
            let reply = try await client.ask(
                request.method, request.path, type: request.type, body: request.body)
            #expect(reply.status == request.status)
            if request.status == "405" { #expect(reply.headers["allow"] == "GET, HEAD, POST") }
            #expect((reply.headers["content-type"] == Self.media) == (request.status == "200"))
            if request.status != "200" { #expect(reply.headers["cache-control"] == "no-store") }
        }
    }

    @Test("HEAD is GET without its body (RFC 9110, 9.3.2)") func head() async throws {
        try await Self.with { client, _ in
            let path = "/dns-query?dns=\(Self.encoded)"
            let (head, get) = (try await client.ask("HEAD", path), try await client.ask("GET", path))
            #expect(head.body.isEmpty && !get.body.isEmpty && head.headers == get.headers)
        }
    }

    struct Lifetime: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var records: [Message.Record] = []
        var authorities: [Message.Record] = []
        var rcode: UInt16 = 0
        var seconds: Int
    }

    @Test(arguments: [
        Lifetime(
            testDescription: "the smallest of the answers",
            records: [Message.a("93.184.216.34", ttl: 50), Message.a("93.184.216.35", ttl: 20)], seconds: 20),
        Lifetime(
            testDescription: "a name that does not exist", authorities: [Message.soa(ttl: 40, minimum: 30)],
            rcode: 3, seconds: 40),
        Lifetime(testDescription: "a failure", rcode: 2, seconds: 0),
    ])
    func mayBeKeptAsLongAsItsSmallestTTL(lifetime: Lifetime) async throws {
        let upstream = try await FakeUpstream(House.group) { received in
            var message = Message.response(to: received.query, lifetime.records, rcode: lifetime.rcode)
            message.authorities = lifetime.authorities
            received.reply(message.bytes)
        }
        try await Self.with(.empty, [upstream]) { client, _ in
            let reply = try await client.post(Message.query("kept.example"))
            #expect(reply.headers["cache-control"] == "private, max-age=\(lifetime.seconds)")
            #expect(Message(reply.body).rcode == lifetime.rcode)
        }
    }

    /// The device's own rules, whichever address it asks from.
    @Test func aPathNamesTheDevice() async throws {
        let upstream = try await FakeUpstream(House.group) { $0.reply([Message.a("93.184.216.34", ttl: 60)]) }
        let phone = try #require(ClientAddress("192.168.1.77"))
        let filter = Filter(
            table: NameTable(sets: [], counted: [CountedName(below: "video.example", tag: 5)]),
            groups: [.init(rules: [.init(action: .block(text: ""))])], clients: [phone: 0],
            devices: ["0123abcd": phone])
        try await Self.with(filter, [upstream]) { client, house in
            let query = Message.query("api.video.example")
            let named = Message(try await client.post(query, to: "/dns-query/0123abcd").body)
            #expect(named.answers.map(\.address) == ["0.0.0.0"])
            let unnamed = Message(try await client.post(query).body)
            #expect(unnamed.answers.map(\.address) == ["93.184.216.34"])
            #expect(try await client.post(query, to: "/dns-query/0123abce").status == "404")
            let counts = await house.resolver.collect().counts
            #expect(counts.map(\.client.namedDevice) == [1])
        }
    }

    @Test func manyRequestsAtOnceAreEachAnsweredTheirOwn() async throws {
        let upstream = try await FakeUpstream(House.group) { received in
            received.reply([
                Message.Record(type: 1, ttl: 60, data: [93, 184, 216, received.query[14] & 0xdf])
            ])
        }
        try await Self.with(.empty, [upstream]) { client, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for letter in "abcdefghijklmnopqrstuvwxyz" {
                    group.addTask {
                        let reply = Message(try await client.post(Message.query("x\(letter).example")).body)
                        let expected = (letter.asciiValue ?? 0) & 0xdf
                        #expect(reply.answers.first?.address == "93.184.216.\(expected)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func nothingIsLeftOfAClientThatWentAway() async throws {
        let upstream = try await FakeUpstream(House.group) { _ in }
        try await Self.with(.empty, [upstream]) { client, house in
            let asking = Task { try await client.post(Message.query("slow.example")) }
            while upstream.queries.isEmpty { await Task.yield() }
            try? await client.close()
            let outcome = await asking.result
            #expect(throws: (any Error).self) { try outcome.get() }
            let reply = try await house.ask("localhost")
            #expect(reply?.rcode == 0)
        }
    }

    /// What goes elsewhere shares the connection, and so do queries under another server's name.
    @Test func otherStreamsGoOn() async throws {
        try await Self.with { client, _ in
            for _ in 0..<2 {
                let own = try await client.post(Self.localhost)
                let page = try await client.post(Self.localhost, to: "/page")
                let foreign = try await client.post(Self.localhost, authority: "foreign.example")
                #expect([own, page, foreign].map(\.status) == ["200", "404", "404"])
            }
        }
    }

    /// A stream that its client gives up while it waits is gone; the connection and its other streams stay.
    @Test func aStreamIsGivenUpAlone() async throws {
        let upstream = try await FakeUpstream(House.group) { received in
            if received.query[13] & 0xdf == UInt8(ascii: "K") {
                received.reply([Message.a("93.184.216.34", ttl: 60)])
            }
        }
        try await Self.with(.empty, [upstream]) { client, _ in
            try await client.giveUp(Message.query("slow.example")) { !upstream.queries.isEmpty }
            for name in ["kept.example", "kept2.example"] {
                let reply = try await client.post(Message.query(name))
                #expect(Message(reply.body).answers.map(\.address) == ["93.184.216.34"])
            }
        }
    }

    @Test func aRequestThatDoesNotEndIsGivenUpAlone() async throws {
        try await Self.with(patience: .milliseconds(20)) { client, _ in
            try await client.begin()
            #expect(try await client.ask("GET", "/dns-query?dns=\(Self.encoded)").status == "200")
        }
    }
}
