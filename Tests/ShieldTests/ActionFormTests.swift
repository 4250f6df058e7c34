import NIOHTTP1
import Testing

@testable import Shield

@Suite struct ActionFormTests {
    @Test func whatOurPageSends() throws {
        let form = try #require(
            ActionForm(Array("app=own-a%20b&expires=1780000600&path=%2F%40ada%3Fa%3D1%26b%3D2&seal=ab".utf8)))
        #expect(form.app == "own-a b")
        #expect(form.expires == 1_780_000_600)
        #expect(form.path == "/@ada?a=1&b=2")
        #expect(form.seal == "ab")
    }

    @Test(
        "Anything else",
        arguments: [
            "", "app", "app=a", "app=a&seal=b", "app=a&expires=1", "app=a&expires=-1&seal=b",
            "app=a&expires=1.0&seal=b", "app=a&expires=1e9&seal=b",
            "app=a&expires=99999999999999999999&seal=b",
            "app=a&app=b&expires=1&seal=b", "app=a&expires=1&seal=b&more=c", "app=&expires=1&seal=b",
            "app=%zz&expires=1&seal=b", "app=%ff&expires=1&seal=b", "app=a&expires=1&seal=b&",
            "app=a&expires=\u{0661}&seal=b", #"{"app":"a"}"#,
        ])
    func refused(body: String) {
        #expect(ActionForm(Array(body.utf8)) == nil)
    }

    @Test func refusedBytes() {
        #expect(ActionForm([0xFF, 0x3D, 0xFE]) == nil)
        #expect(ActionForm(Array("app=\(String(repeating: "a", count: 201))&expires=1&seal=b".utf8)) == nil)
    }

    @Test(
        "Always back to the same Host",
        arguments: [
            ("/", "/"), ("/video?id=1", "/video?id=1"), ("//evil.example", "/"), ("/\\evil.example", "/"),
            ("https://evil.example", "/"), ("", "/"), ("evil", "/"), ("/a\r\nset-cookie: a", "/"),
            ("/a b", "/"),
            ("/é", "/"), ("/.sleep-inducer/unlock", "/"), ("/\t/evil.example", "/"), ("/%0d%0a", "/%0d%0a"),
        ])
    func paths(text: String, checked: String) {
        #expect(LocalPath.checked(text) == checked)
        #expect(LocalPath.isSafe(text) == (checked == text))
    }

    @Test func aLongPathFitsIntoNoForm() {
        let long = "/" + String(repeating: "a", count: 1_000)
        #expect(LocalPath.checked(long) == "/" && LocalPath.isSafe(long))
    }

    @Test(
        "Origin and Sec-Fetch-Site count if they are sent",
        arguments: [
            ([], true), ([("origin", "http://tiktok.com")], true),
            ([("origin", "http://tiktok.com:80")], true),
            ([("origin", "https://TikTok.com")], true), ([("origin", "null")], false),
            ([("origin", "http://evil.example")], false),
            ([("origin", "http://tiktok.com.evil.example")], false),
            ([("origin", "http://tiktok.com:8080")], false), ([("origin", "")], false),
            ([("origin", "http://tiktok.com"), ("origin", "http://tiktok.com")], false),
            ([("sec-fetch-site", "same-origin")], true), ([("sec-fetch-site", "same-site")], false),
            ([("sec-fetch-site", "cross-site")], false), ([("sec-fetch-site", "none")], false),
        ] as [([(String, String)], Bool)])
    func origins(fields: [(String, String)], isOwn: Bool) {
        #expect(FormOrigin.isOwn(HTTPHeaders([("host", "tiktok.com")] + fields)) == isOwn)
    }
}
