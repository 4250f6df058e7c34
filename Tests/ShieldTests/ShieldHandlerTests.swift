import Directory
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Policy
import Synchronization
import Testing

@testable import Shield

@Suite struct ShieldHandlerTests {
    private let house = TestHouse()
    private let channel = EmbeddedChannel()

    private func open(isSecure: Bool = false, relay: RelayFacts? = nil) throws {
        let limits = DoorLimits()
        let desk = ShieldDesk(
            loop: channel.eventLoop, facts: house.facts, limits: limits,
            places: .init(all: limits.streams, each: limits.streamsPerHolder),
            relay: relay)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: .init())
        try pipeline.addHandler(
            ShieldHandler(
                desk: desk, address: "192.168.1.20", holder: Holder(IPAddress("192.168.1.20")),
                origin: "http://192.168.1.2", isSecure: isSecure))
        try channel.connect(to: SocketAddress(ipAddress: "192.168.1.20", port: 5000)).wait()
    }

    private func ask(_ request: String) throws -> String {
        try channel.receive(request)
        return try written(channel)
    }

    @Test("The stream's state is told once on request, blocked or not")
    func state() throws {
        try open()
        let answer = try ask("GET /.sleep-inducer/state HTTP/1.1\r\nHost: tiktok.com\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("content-type: application/json\r\n"))
        #expect(answer.contains("\r\n\r\n{\"app\":"))
        #expect(answer.contains("\"blocked\":true") && answer.contains("\"name\":\"tiktok.com\""))
        house.state.withLock { _ = $0.open.insert("tiktok.com") }
        let open = try ask("GET /.sleep-inducer/state HTTP/1.1\r\nHost: tiktok.com\r\n\r\n")
        #expect(open.contains("\"blocked\":false"))
    }

    @Test func blockedNameGetsThePage() throws {
        try open()
        let answer = try ask("GET /video?id=1 HTTP/1.1\r\nHost: TikTok.com:80\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        #expect(answer.hasSuffix("<h1>tiktok.com 3600 of 3600 http://192.168.1.2</h1>"))
        #expect(answer.contains("cache-control: no-store\r\n"))
        #expect(answer.contains("content-security-policy: default-src 'none'; script-src 'self';"))
        #expect(answer.contains("content-type: text/html; charset=utf-8\r\n"))
        #expect(!answer.lowercased().contains("set-cookie"))
        #expect(house.asked.withLock { $0 } == ["192.168.1.20 tiktok.com"])
        #expect(channel.isActive)
    }

    @Test func openNameGets503() throws {
        try open()
        let answer = try ask("GET / HTTP/1.1\r\nHost: open.example\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.contains("retry-after: 10\r\n"))
        #expect(answer.hasSuffix("<h1>open.example open http://192.168.1.2</h1>"))
    }

    /// Browsers open connections ahead. A connection from the time of the block, without a request yet, stays with the
    /// shield. The style and script of the page that it would get are requested over other connections, which lead
    /// elsewhere.
    @Test(arguments: [
        ("GET", "/video?id=1", true, "307"), ("HEAD", "/", true, "307"),
        ("GET", "//evil.example/", true, "503"),
        ("POST", "/", true, "503"), ("GET", "/", false, "503"),
    ])
    func theFirstRequestOnAConnectionOpenedAheadIsSentOnceMore(
        method: String, path: String, isSecure: Bool, status: String
    ) throws {
        try open(
            isSecure: isSecure, relay: RelayFacts(mayPass: { _ in true }, destinations: { _, _ in [] }))
        let answer = try ask("\(method) \(path) HTTP/1.1\r\nHost: open.example\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("location: \(path)\r\n") == (status == "307"))
        #expect(answer.contains("connection: close\r\n"))
    }

    @Test(arguments: [(12_000, "307"), (17_000, "503")])
    func aTargetAsLongAsAHeadIsSentOnceMore(length: Int, status: String) throws {
        try open(isSecure: true, relay: RelayFacts(mayPass: { _ in true }, destinations: { _, _ in [] }))
        let path = "/" + String(repeating: "a", count: length)
        let answer = try ask("GET \(path) HTTP/1.1\r\nHost: open.example\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("location: \(path)\r\n") == (status == "307"))
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND", "POST"])
    func anyMethodAnyPath(method: String) throws {
        try open()
        let answer = try ask(
            "\(method) /session/cancel HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 403 "))
    }

    @Test func aFloodGetsLinesInsteadOfPages() throws {
        try open()
        let request = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
        let answers = try (0..<52).map { _ in try ask(request) }
        #expect(answers.count { $0.contains("<h1>") } == 50)
        #expect(
            answers[50...].allSatisfy {
                $0.hasPrefix("HTTP/1.1 403 ") && $0.hasSuffix("Blocked right now.\n")
            })
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try ask(request).contains("<h1>"))
    }

    @Test func headHasNoBody() throws {
        try open()
        let answer = try ask("HEAD / HTTP/1.1\r\nHost: a.example\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 403 "))
        #expect(answer.contains("content-length: 50\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: [
        ("/", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", true), ("/", "*/*", true),
        ("/a", "text/*", true),
        ("/", "image/avif,image/webp,*/*;q=0.8", false), ("/", "application/json, text/plain, */*", false),
        ("/", "text/css,*/*;q=0.1", false), ("/app.js", "*/*", false), ("/app.js?v=1", "*/*", false),
        ("/index.html", "*/*", true),
    ])
    func onlyWhoLooksGetsThePage(path: String, accept: String, isPage: Bool) throws {
        try open()
        let answer = try ask("GET \(path) HTTP/1.1\r\nHost: a.example\r\nAccept: \(accept)\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 403 "))
        #expect(answer.contains("<h1>") == isPage)
        if !isPage { #expect(answer.hasSuffix("\r\n\r\nBlocked right now.\n")) }
    }

    @Test(arguments: [
        ("document", true), ("iframe", true), ("script", false), ("image", false), ("empty", false),
    ])
    func destinationCountsWhereItIsSent(destination: String, isPage: Bool) throws {
        try open()
        let answer = try ask(
            "GET / HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\nSec-Fetch-Dest: \(destination)\r\n\r\n")
        #expect(answer.contains("<h1>") == isPage)
    }

    @Test func bodiesAreDroppedWithinBounds() throws {
        try open()
        let body = String(repeating: "x", count: 60_000)
        let answer = try ask(
            "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 60000\r\n\r\n\(body)"
                + "GET /two HTTP/1.1\r\nHost: b.example\r\n\r\n")
        #expect(answer.components(separatedBy: "HTTP/1.1 403 ").count == 3)
        #expect(channel.isActive)
    }

    @Test(arguments: [
        "Content-Length: 70000\r\n\r\n", "Content-Length: 10\r\nExpect: 100-continue\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n11170\r\n" + String(repeating: "x", count: 70_000),
    ])
    func beyondThemTheConnectionEnds(rest: String) throws {
        try open()
        let answer = try ask("POST / HTTP/1.1\r\nHost: a.example\r\n\(rest)")
        #expect(answer.hasPrefix("HTTP/1.1 403 "))
        #expect(answer.contains("connection: close\r\n"))
        #expect(answer.components(separatedBy: "HTTP/1.1 403 ").count == 2)
        #expect(!channel.isActive)
    }

    @Test func pipelinedOwnHostStillMeetsTheShield() throws {
        try open()
        let answer = try ask(
            "GET / HTTP/1.1\r\nHost: a.example\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(answer.components(separatedBy: "HTTP/1.1 403 ").count == 3)
    }

    @Test(arguments: ["", "Host: a\r\nHost: b\r\n", "Host: a b\r\n", "Host: a,localhost\r\n", "Host:\r\n"])
    func noUsableHost(host: String) throws {
        try open()
        let answer = try ask("GET / HTTP/1.1\r\n\(host)\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(!channel.isActive)
    }

    @Test func oldHTTPIsAnsweredAndClosed() throws {
        try open()
        let answer = try ask("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
        #expect(answer.contains(" 403 "))
        #expect(!channel.isActive)
    }

    @Test(arguments: [
        ("GET /.sleep-inducer/assets/night.css", "200"), ("HEAD /.sleep-inducer/assets/night.css?v=1", "200"),
        ("GET /.sleep-inducer/assets/other.css", "404"), ("GET /.sleep-inducer/assets/../night.css", "404"),
        ("GET /.sleep-inducer/assets/%2e%2e/night.css", "404"), ("GET /.sleep-inducer/assets/.hidden", "404"),
        ("GET /.sleep-inducer/assets//etc/passwd", "404"), ("POST /.sleep-inducer/assets/night.css", "404"),
        ("GET /.sleep-inducer/", "404"), ("POST /.sleep-inducer/events", "404"),
        ("GET /.sleep-inducer/done", "403"), ("HEAD /.sleep-inducer/doing", "403"),
        ("PUT /.sleep-inducer/done", "405"), ("GET /.sleep-inducer/unlock", "405"),
        ("DELETE /.sleep-inducer/ask", "405"), ("POST /.sleep-inducer/unlock/", "404"),
        ("POST /.sleep-inducer/UNLOCK", "404"), ("POST /.sleep-inducer/here", "404"),
        ("GET /.sleep-inducer/here", "403"), ("POST /.sleep-inducer/done", "415"),
        ("GET http://a.example/.sleep-inducer/assets/night.css", "200"), ("GET /.sleep-inducer", "403"),
    ])
    func corner(start: String, status: String) throws {
        try open()
        let answer = try ask("\(start) HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("cache-control: no-store\r\n"))
    }

    @Test func headersBeyondTheLimitEnd() throws {
        try open()
        let field = "A: " + String(repeating: "b", count: 100_000) + "\r\n"
        let answer = try ask("GET / HTTP/1.1\r\nHost: a.example\r\n\(field)\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(!channel.isActive)
    }

    @Test func halfClosedAfterTheQuestion() throws {
        try open()
        let answer = try ask("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
        #expect(answer.hasSuffix("</h1>"))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!channel.isActive)
    }
}
