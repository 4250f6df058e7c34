import Directory
import Shield
import Testing

@Suite struct RequestPeekTests {
    private static let own = OwnNames(name: "sleep.home.arpa", hostName: "pi")
    private static let limit = 1024

    /// The decision after these pieces have arrived; nil: still waiting after the last.
    private static func look(_ pieces: [[UInt8]]) -> RequestPeek.Reception? {
        var peek = RequestPeek(ownNames: own, limit: limit)
        var received: [UInt8] = []
        for piece in pieces {
            received += piece
            if let reception = received.withUnsafeBytes({ peek.look(at: $0) }) { return reception }
        }
        return nil
    }

    static let heads: [(String, RequestPeek.Reception?)] = [
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", .dashboard),
        ("GET / HTTP/1.1\r\nhOsT:LOCALHOST:8080\r\nCookie: si=1\r\n\r\n", .dashboard),
        ("\r\nGET /a?b HTTP/1.1\r\nAccept: */*\r\nHost: [::1]:80\r\n\r\n", .dashboard),
        ("POST /session HTTP/1.1\r\nHost: sleep.home.arpa.\r\nContent-Length: 3\r\n\r\na=b", .dashboard),
        ("OPTIONS * HTTP/1.1\r\nHost: pi.local\r\n\r\n", .dashboard),
        ("GET / HTTP/1.1\r\nHost: tiktok.com\r\n\r\n", .shield),
        ("GET / HTTP/1.1\r\n\r\n", .shield),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", .shield),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", .shield),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", .shield),
        ("GET / HTTP/1.1\r\nHost: localhost, evil.example\r\n\r\n", .shield),
        ("GET / HTTP/1.1\r\nX-Host: localhost\r\nForwarded: host=localhost\r\n\r\n", .shield),
        ("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n", .shield),
        ("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", .dashboard),
        ("GET HTTP://localhost:80/help HTTP/1.1\r\nHost: evil.example\r\n\r\n", .dashboard),
        ("GET http://evil.example@localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", .shield),
        ("GET http://localhost#.evil.example/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .shield),
        ("GET ftp://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", .shield),
        ("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", .shield),
        ("CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", .shield),
        ("CONNECT / HTTP/1.1\r\nHost: localhost\r\n\r\n", .shield),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n", nil),
        ("GET / HTTP/1.1\r\nHost: localhost", nil),
        ("GET", nil), ("", nil), ("\r", nil), ("\r\n", nil),
        ("GET / HTTP/1.1\nHost: localhost\n\n", .refuse(.malformed)),
        ("GET / HTTP/1.1\r\nHost: localhost\n\r\n", .refuse(.malformed)),
        ("GET / HTTP/1.1\r\n Host: localhost\r\n\r\n", .refuse(.malformed)),
        ("GET / HTTP/1.1\r\nA: b\r\n Host: localhost\r\n\r\n", .refuse(.malformed)),
        ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", .refuse(.malformed)),
        ("GET / HTTP/1.1\r\nHost: local\u{0}host\r\n\r\n", .refuse(.malformed)),
        ("GET / HTTP/1.1\r\nHost: a\rHost: localhost\r\n\r\n", .refuse(.malformed)),
        ("GET / HTTP/1.1\r\nnonsense\r\n\r\n", .refuse(.malformed)),
        ("GET / HTTP/1.1\r\n: x\r\n\r\n", .refuse(.malformed)),
        ("GET / HTTP/2.0\r\n\r\n", .refuse(.malformed)),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .refuse(.malformed)),
        ("GET /\r\n\r\n", .refuse(.malformed)), ("GET  / HTTP/1.1\r\n\r\n", .refuse(.malformed)),
        ("GET /a b HTTP/1.1\r\n\r\n", .refuse(.malformed)), ("\u{0}\u{1}", .refuse(.malformed)),
        ("{\"json\":1}", .refuse(.malformed)), ("\r\n\r\n\r\n", .refuse(.malformed)),
        (String(repeating: "A", count: 40), .refuse(.malformed)),
        ("\u{16}\u{3}\u{1}", .refuse(.tls)),
        ("GET /" + String(repeating: "a", count: 1024), .refuse(.tooLarge)),
        (
            "GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 1024) + "\r\nHost: localhost\r\n\r\n",
            .refuse(.tooLarge)
        ),
    ]

    @Test(arguments: heads)
    func inOnePiece(head: String, reception: RequestPeek.Reception?) {
        #expect(Self.look([Array(head.utf8)]) == reception)
    }

    @Test(arguments: heads)
    func byteByByte(head: String, reception: RequestPeek.Reception?) {
        #expect(Self.look(head.utf8.map { [$0] }) == reception)
    }

    @Test func everyCutOfAHeadDecidesTheSame() {
        let head = Array("GET / HTTP/1.1\r\nAccept: a\r\nHost: localhost\r\n\r\n".utf8)
        for cut in 0...head.count {
            #expect(Self.look([Array(head[..<cut]), Array(head[cut...])]) == .dashboard)
        }
    }

    /// The longest allowed head is accepted, one byte more is refused.
    @Test(arguments: [(1024, RequestPeek.Reception.dashboard), (1025, .refuse(.tooLarge))])
    func limit(length: Int, reception: RequestPeek.Reception) {
        let frame = "GET / HTTP/1.1\r\nHost: localhost\r\nA: \r\n\r\n"
        let padding = String(repeating: "a", count: length - frame.utf8.count)
        let head = frame.replacing("A: ", with: "A: " + padding)
        #expect(Self.look([Array(head.utf8)]) == reception)
    }
}
