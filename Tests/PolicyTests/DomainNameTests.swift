import Testing

@testable import Policy

@Suite struct DomainNameTests {
    static let longest =
        (0..<3).map { _ in String(repeating: "a", count: 63) }.joined(separator: ".") + "."
        + String(repeating: "b", count: 61)

    @Test(arguments: [
        ("example.org", "example.org"), ("EXAMPLE.Org.", "example.org"), ("  example.org\n", "example.org"),
        ("https://www.Example.org/a/b?c=d#e", "www.example.org"),
        ("http://user:pw@example.org:8080/", "example.org"),
        ("*.example.org", "example.org"), ("example.org:443", "example.org"),
        ("example.org/path", "example.org"),
        ("_dmarc.example.org", "_dmarc.example.org"), ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"), ("日本語.jp", "xn--wgv71a119e.jp"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("a-b.c--d.example", "a-b.c--d.example"),
        ("1.example", "1.example"), ("bbc.co.uk", "bbc.co.uk"), ("example.org\\evil", "example.org"),
        (longest, longest),
    ])
    func takesWhatPeoplePaste(_ typed: String, _ name: String) throws {
        #expect(try DomainName(typed: typed).text == name)
    }

    @Test(arguments: [
        ("", Refusal.domainMissing), ("   ", .domainMissing), ("https://", .domainMissing),
        ("/", .domainMissing),
        ("com", .domainSingleLabel("com")), ("localhost", .domainSingleLabel("localhost")),
        ("COM.", .domainSingleLabel("com")), ("co.uk", .domainTooBroad("co.uk")),
        ("*.com.au", .domainTooBroad("com.au")),
        ("192.168.1.1", .domainIsAddress("192.168.1.1")),
        ("http://10.0.0.1:80/", .domainIsAddress("10.0.0.1")),
        ("::1", .domainIsAddress("::1")), ("[fd00::1]:443", .domainIsAddress("[fd00::1]:443")),
        ("1.2.3", .domainIsAddress("1.2.3")), ("example.123", .domainIsAddress("example.123")),
        ("a..b", .domainInvalid("a..b")), (".example.org", .domainInvalid(".example.org")),
        ("-a.example", .domainInvalid("-a.example")), ("a-.example", .domainInvalid("a-.example")),
        ("a b.example", .domainInvalid("a b.example")), ("exa%6Dple.org", .domainInvalid("exa%6Dple.org")),
        ("<b>.example", .domainInvalid("<b>.example")), ("a\"b.example", .domainInvalid("a\"b.example")),
        ("a\u{0}.example", .domainInvalid("a\u{0}.example")), ("🎈", .domainSingleLabel("xn--ck8h")),
        ("a.*.example", .domainInvalid("a.*.example")), ("a,b.example", .domainInvalid("a,b.example")),
        (longest + "b", .domainInvalid(longest + "b")),
        (
            String(repeating: "a", count: 64) + ".example",
            .domainInvalid(String(repeating: "a", count: 64) + ".example")
        ),
    ])
    func refusesTheRest(_ typed: String, _ refusal: Refusal) {
        #expect(throws: refusal) { try DomainName(typed: typed) }
    }

    @Test func nothingTypedTraps() {
        var random = Generator(seed: 5)
        let alphabet = Array("ab.-_*:/@?#[]%\\ 0é語\u{301}\u{200D}\u{0}")
        for _ in 0..<5_000 {
            let typed = String((0..<random.int(0...12)).map { _ in random.pick(alphabet) })
            guard let name = try? DomainName(typed: typed) else { continue }
            #expect(DomainName.isValid(name.text) && name.text.contains("."), "\(typed)")
            #expect((try? DomainName(typed: name.text))?.text == name.text, "\(typed)")
        }
    }

    @Test func plainNamesStandForThemselves() {
        #expect(DomainName("WWW.Example.ORG.")?.text == "www.example.org")
        #expect(
            DomainName("https://example.org") == nil && DomainName("com") == nil
                && DomainName("1.2.3.4") == nil)
        #expect(DomainName("co.uk")?.text == "co.uk")
    }

    @Test(arguments: [
        ("a.b", "a.b", true), ("x.a.b", "a.b", true), ("xa.b", "a.b", false), ("b", "a.b", false),
        ("", "a.b", false),
        ("x.y.a.b", "a.b", true), (".a.b", "a.b", true), ("a.b.c", "a.b", false),
    ])
    func underIsOnLabelBoundaries(_ name: String, _ suffix: String, _ isUnder: Bool) {
        #expect(DomainName.isUnder(name, suffix) == isUnder)
        #expect(CatalogNames(suffixes: [suffix]).covers(name) == isUnder)
    }

    @Test func foldedNamesAreWhatTheReaderWouldLeaveAlone() {
        for name in [
            "a.b", "x1.example", "A.b", "a", "a.b.", "1.2", "a.1", "a..b", "-a.b", "a_b.c", "ä.b", "", ".",
            "::1",
        ] {
            #expect(DomainName.isFolded(name) == (DomainName(name)?.text == name), "\(name)")
        }
    }

    @Test func parentsAreOnLabelBoundaries() {
        #expect(Array(DomainName.withParents("a.b.c")) == ["a.b.c", "b.c", "c"])
        #expect(Array(DomainName.withParents("c")) == ["c"])
    }
}
