import NIOCore
import NIOPosix
import Testing

@testable import Outbound

/// Requests over real loopback sockets, which only these tests may reach.
@Suite(.timeLimit(.minutes(1))) struct SafeClientTests {
    private static let everywhere: @Sendable ([UInt8]) -> Bool = { _ in true }

    private static func client(
        _ names: [String: [[UInt8]]] = [:], allows: @escaping @Sendable ([UInt8]) -> Bool = everywhere
    ) -> SafeClient {
        SafeClient(
            lookUp: { names[$0] ?? [] }, allows: allows, group: MultiThreadedEventLoopGroup.singleton)
    }

    private static func post(
        _ url: String, _ client: SafeClient = client(), timeout: Duration = .seconds(5)
    ) async throws(Fault) -> SafeClient.Reply {
        try await client.post(
            url: url, headers: [("Authorization", "Bearer abc"), ("Content-Type", "application/json")],
            body: Array(#"{"a":1}"#.utf8), timeout: timeout)
    }

    @Test("A body is sent with its headers, and the reply comes back")
    func exchange() async throws {
        let server = try await Listener(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let reply = try await Self.post("http://127.0.0.1:\(server.port)/api/x?y=1")
        #expect(reply == SafeClient.Reply(status: 200, body: Array("ok".utf8)))
        let heard = server.heard
        #expect(heard.hasPrefix("POST /api/x?y=1 HTTP/1.1\r\n"))
        for part in ["Authorization: Bearer abc", "Content-Type: application/json", #"{"a":1}"#] {
            #expect(heard.lowercased().contains(part.lowercased()), "\(part)")
        }
        try await server.close()
        let other = try await Listener(answer: "HTTP/1.1 204 No Content\r\n\r\n")
        _ = try await Self.client().patch(
            url: "http://127.0.0.1:\(other.port)/", headers: [], body: [], timeout: .seconds(5))
        #expect(other.heard.contains("PATCH / HTTP/1.1"))
        try await other.close()
    }

    @Test("A name leads to the address that was checked, with its own Host, whatever its case")
    func names() async throws {
        let server = try await Listener(answer: "HTTP/1.1 204 No Content\r\n\r\n")
        let client = Self.client(["nas.example": [[10, 0, 0, 9], [127, 0, 0, 1]]]) { $0 == [127, 0, 0, 1] }
        #expect(try await Self.post("HTTP://NAS.example:\(server.port)/", client).status == 204)
        #expect(server.heard.lowercased().contains("host: nas.example:\(server.port)"))
        try await server.close()
    }

    @Test("No redirect is followed")
    func redirects() async throws {
        let server = try await Listener(
            answer: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        #expect(try await Self.post("http://127.0.0.1:\(server.port)/").status == 302)
        try await server.close()
    }

    @Test(
        "Nothing is sent to this machine, to link-local addresses or to nowhere, however they are written",
        arguments: [
            "http://127.0.0.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://169.254.169.254/",
            "http://0.0.0.0/", "http://192.168.1.5/", "http://[64:ff9b::7f00:1]/", "http://me.example/",
        ])
    func forbidden(_ url: String) async {
        let client = SafeClient(
            lookUp: { _ in [[127, 0, 0, 1], [192, 168, 1, 5]] }, own: { ["192.168.1.5", "fe80::1%eth0"] })
        await #expect(throws: Fault.notAllowed) { try await Self.post(url, client) }
    }

    @Test(
        "Plain http goes only to addresses of the home, if that is required",
        arguments: ["http://203.0.113.7/", "http://[2001:db8::7]/", "http://out.example/"])
    func plain(_ url: String) async {
        let client = Self.client(["out.example": [[203, 0, 113, 7]]])
        await #expect(throws: Fault.needsTLS) {
            try await client.tell(url: url, headers: [], body: [], timeout: .seconds(5))
        }
    }

    @Test("A name whose lookup hangs delays the request no longer than the time limit")
    func slowName() async {
        let client = SafeClient(
            lookUp: { _ in
                try? await Task.sleep(for: .seconds(30))
                return []
            }, allows: Self.everywhere, group: MultiThreadedEventLoopGroup.singleton)
        let began = ContinuousClock.now
        await #expect(throws: Fault.timedOut) {
            try await Self.post("http://slow.example/", client, timeout: .milliseconds(100))
        }
        #expect(ContinuousClock.now - began < .seconds(5))
    }

    @Test(
        "Invalid addresses",
        arguments: [
            "", "x", "ftp://a/", "http://", "http://a b/", "http://u:p@a/", "http://9.9.9.9%25.evil.example/",
        ])
    func bad(_ url: String) async {
        await #expect(throws: Fault.badAddress) { try await Self.post(url) }
    }

    @Test(
        "Numbers that some programs read as addresses are unknown names",
        arguments: ["127.1", "2130706433", "0x7f.1"])
    func numbers(_ host: String) async {
        await #expect(throws: Fault.unknownHost) { try await Self.post("http://\(host)/") }
    }

    @Test(
        "A status that HTTP does not define ends the request, and nothing else",
        arguments: [
            "001 X", "000 X", "099 X", "010", "100 Continue\r\n\r\nHTTP/1.1 001 X",
        ])
    func impossibleStatus(_ line: String) async throws {
        let server = try await Listener(answer: "HTTP/1.1 \(line)\r\nContent-Length: 0\r\n\r\n")
        await #expect(throws: Fault.broken) { try await Self.post("http://127.0.0.1:\(server.port)/") }
        try await server.close()
    }

    @Test("No server, silence, a trickle, too much, nonsense, and no TLS")
    func failures() async throws {
        await #expect(throws: Fault.unreachable) { try await Self.post("http://127.0.0.1:1/") }
        let silent = try await Listener(answer: nil)
        await #expect(throws: Fault.timedOut) {
            try await Self.post("http://127.0.0.1:\(silent.port)/", timeout: .milliseconds(300))
        }
        let trickle = try await Listener(answer: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        await #expect(throws: Fault.timedOut) {
            try await Self.post("http://127.0.0.1:\(trickle.port)/", timeout: .milliseconds(300))
        }
        let large = try await Listener(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n" + String(repeating: "x", count: 70_000)
        )
        await #expect(throws: Fault.tooLarge) { try await Self.post("http://127.0.0.1:\(large.port)/") }
        let nonsense = try await Listener(answer: "SSH-2.0-OpenSSH\r\n\r\n")
        await #expect(throws: Fault.broken) { try await Self.post("http://127.0.0.1:\(nonsense.port)/") }
        let plain = try await Listener(answer: "SSH-2.0-OpenSSH\r\n\r\n")
        await #expect(throws: Fault.insecure) { try await Self.post("https://127.0.0.1:\(plain.port)/") }
        for listener in [silent, trickle, large, nonsense, plain] { try await listener.close() }
    }
}
