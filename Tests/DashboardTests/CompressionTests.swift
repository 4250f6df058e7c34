import HTTPTypes
import HummingbirdTesting
import NIOCore
import Policy
import Store
import Testing

@testable import Dashboard

@Suite("Pages are compressed, and their form token is a new text each time") struct CompressionTests {
    private static let pages = [
        "/", "/limits", "/allowed-apps", "/settings", "/help", "/api/openapi.json",
    ]

    @Test("A browser that takes gzip gets the same page, shorter")
    func packed() async throws {
        try await TestHouse().visit { guest in
            let owner = try guest.signedIn()
            for path in Self.pages {
                let plain = try await owner.get(path)
                let packed = try await owner.with(.acceptEncoding, "br, gzip;q=0.5").get(path)
                #expect(plain.headers[.contentEncoding] == nil, "\(path)")
                #expect(packed.headers[.contentEncoding] == "gzip", "\(path)")
                #expect(packed.body.readableBytes < plain.body.readableBytes / 2, "\(path)")
                for answer in [plain, packed] {
                    #expect(answer.headers[.vary] == "Accept-Encoding", "\(path)")
                    #expect(answer.headers[.contentLength] == "\(answer.body.readableBytes)", "\(path)")
                    #expect(answer.headers[.contentType] == plain.headers[.contentType], "\(path)")
                }
            }
        }
    }

    @Test("The length of an answer does not tell whether a guess in its address is on the page")
    func guesses() async throws {
        let page = String(repeating: "<p>Robin sleeps until 07:00</p>", count: 20)
        let lengths = ["Robin", "niboR", "Rbino"].map { guess in
            let text = ByteBuffer(string: page + "<input value=\"\(guess)\">")
            return (gzip(text, .repetition)?.readableBytes, gzip(text, .answer)?.readableBytes)
        }
        #expect(Set(lengths.map(\.0)).count == 1)
        #expect(Set(lengths.map(\.1)).count > 1, "references to equal texts would tell")
        try await TestHouse().visit { guest in
            let owner = try guest.signedIn().with(.acceptEncoding, "gzip")
            let page = try await owner.get("/settings").body.readableBytes
            for address in ["/settings?x=Robin", "/settings?person=1", "/settings?done=saved&x=niboR"] {
                let answer = try await owner.get(address)
                #expect(answer.headers[.contentEncoding] == "gzip")
                #expect(answer.body.readableBytes > page * 3 / 2, "\(address)")
            }
        }
    }

    @Test(
        "A browser that does not take gzip gets the page as it is",
        arguments: ["gzip;q=0", "gzip; q=0.000", "identity", "br", ""])
    func refused(_ accepted: String) async throws {
        try await TestHouse().visit { guest in
            let page = try await guest.signedIn().with(.acceptEncoding, accepted).get("/limits")
            #expect(page.headers[.contentEncoding] == nil)
            #expect(page.headers[.vary] == "Accept-Encoding")
            #expect(page.text.hasSuffix("</html>\n") || page.text.contains("</html>"))
        }
    }

    @Test("HEAD tells the same as GET, without the body")
    func head() async throws {
        try await TestHouse().visit { guest in
            let browser = try guest.signedIn().with(.acceptEncoding, "gzip")
            let head = try await browser.get("/limits", method: .head)
            #expect(head.body.readableBytes == 0)
            #expect(head.headers[.contentEncoding] == "gzip")
            #expect(head.headers[.vary] == "Accept-Encoding")
            let length = try #require(head.headers[.contentLength].flatMap { Int($0) })
            let whole = try await browser.get("/limits").body.readableBytes
            // The masks are random, and so are a few bytes of what they pack to.
            #expect(abs(length - whole) < 200)
        }
    }

    @Test("What is short, a stream, a picture, or has an ETag of its own stays as it is")
    func left() async throws {
        try await TestHouse().visit { guest in
            let owner = try guest.signedIn().with(.acceptEncoding, "gzip")
            for path in ["/robots.txt", "/state", "/apple-touch-icon.png", "/api/v1/catalog"] {
                let answer = try await owner.get(path)
                #expect(answer.status == .ok, "\(path)")
                #expect(answer.headers[.contentEncoding] == nil, "\(path)")
            }
        }
    }

    @Test("An error's page is compressed too")
    func errors() async throws {
        try await TestHouse().visit { guest in
            let page = try await guest.signedIn().with(.acceptEncoding, "gzip").get("/nowhere")
            #expect(page.status == .notFound)
            #expect(page.headers[.contentEncoding] == "gzip")
        }
    }

    /// The tokens of a page's forms.
    private func tokens(_ page: TestResponse) -> Set<String> {
        Set(page.text.matches(of: /name="?csrf"? value="([^"]+)"/).map { String($0.output.1) })
    }

    @Test("Two loads of a page carry different tokens, and both work")
    func masked() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let plain = try #require(owner.csrf)
            var seen: Set<String> = []
            for _ in 0..<2 {
                let page = try await owner.get("/limits")
                let held = tokens(page)
                #expect(held.count == 1)
                #expect(!page.text.contains(plain))
                seen.formUnion(held)
            }
            #expect(seen.count == 2)
            for token in seen + [plain] {
                let saved = try await owner.post(
                    "/limits", [("app", "tiktok"), ("minutes", "30")], csrf: token)
                #expect(saved.status == .seeOther, "\(token)")
            }
        }
    }

    @Test("A wrong mask, a wrong token under a mask, or half of it: 403")
    func wrongMask() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let token = try #require(tokens(try await owner.get("/limits")).first)
            let other = try #require(tokens(try await guest.signedIn().get("/limits")).first)
            let turned = (token.first == "A" ? "B" : "A") + token.dropFirst()
            for wrong in [
                turned, other, String(token.prefix(43)), String(token.suffix(43)), token + token,
                String(token.dropLast()), token + "=", "+" + token.dropFirst(), " ", "",
                String(repeating: "A", count: 86),
            ] {
                let answer = try await owner.post(
                    "/limits", [("app", "tiktok"), ("minutes", "30")], csrf: wrong)
                #expect(answer.status == .forbidden, "\(wrong)")
            }
        }
        #expect(house.store.household.people[0].limits.list.isEmpty)
    }
}
