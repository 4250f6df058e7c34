import Testing

@testable import Directory

@Suite struct ReverseProxiesTests {
    private let proxies = ReverseProxies(
        ["127.0.0.1", "192.168.1.7", "172.18.0.0/16", "fd00::/64"].map { ReverseProxies.Network($0)! })

    private func word(_ fields: [String: [String]], from peer: String = "192.168.1.7") -> ReverseProxies.Word?
    {
        proxies.word(of: IPAddress(peer)) { fields[$0] ?? [] }
    }

    private func client(_ name: String, _ values: String..., from peer: String = "192.168.1.7") -> String? {
        word([name: values], from: peer)?.client?.text
    }

    @Test("Only a trusted peer is believed")
    func trust() {
        let fields = ["X-Forwarded-For": ["192.168.1.40"], "X-Forwarded-Proto": ["https"]]
        #expect(word(fields)?.client?.text == "192.168.1.40" && word(fields)?.isSecure == true)
        #expect(word(fields, from: "192.168.1.8") == nil)
        #expect(word(fields, from: "172.18.255.9")?.client?.text == "192.168.1.40")
        #expect(word(fields, from: "172.19.0.1") == nil)
        #expect(word(fields, from: "fd00::9") != nil && word(fields, from: "fd00:0:0:1::9") == nil)
        #expect(word(fields, from: "::ffff:192.168.1.7") != nil)
        #expect(proxies.word(of: nil) { fields[$0] ?? [] } == nil)
        #expect(ReverseProxies().word(of: IPAddress("127.0.0.1")) { fields[$0] ?? [] } == nil)
    }

    @Test("The client is the last address that is no trusted proxy")
    func lastUntrusted() {
        let name = "X-Forwarded-For"
        #expect(client(name, "192.168.1.50, 192.168.1.40") == "192.168.1.40", "a client wrote the first one")
        #expect(client(name, "192.168.1.50", "192.168.1.40") == "192.168.1.40", "in two fields")
        #expect(client(name, "192.168.1.50,192.168.1.40 , 172.18.0.3,127.0.0.1") == "192.168.1.40")
        #expect(client(name, "127.0.0.1") == "127.0.0.1", "somebody at the proxy itself")
        #expect(client(name, "192.168.1.40:5123") == "192.168.1.40")
        #expect(
            client(name, "2001:db8::4") == "2001:db8::4" && client(name, "[2001:db8::4]:80") == "2001:db8::4")
        #expect(client(name, "::ffff:192.168.1.40") == "192.168.1.40")
    }

    @Test("Nobody is guessed")
    func unknown() {
        let name = "X-Forwarded-For"
        for text in [
            "unknown", "192.168.1.50, unknown", "192.168.1.50, ", "", "192.168.1.50, 192.168.1.40 x", "_a",
        ] {
            let found = word([name: [text]])
            #expect(found != nil && found?.client == nil, "\(text)")
        }
        #expect(word([:]) == ReverseProxies.Word(client: nil, isSecure: nil))
    }

    @Test("Forwarded is read as RFC 7239 writes it")
    func forwarded() {
        let name = "Forwarded"
        #expect(
            client(name, #"for=192.168.1.50, For="192.168.1.40:80";proto=https;by=10.0.0.1"#)
                == "192.168.1.40")
        #expect(client(name, #"for="[2001:db8::4]:4711""#) == "2001:db8::4")
        #expect(
            client(name, #"for=192.168.1.50;host="a,for=192.168.1.60;", for=172.18.0.3"#) == "192.168.1.50")
        #expect(client(name, #"for=192.168.1.40;x="\",for=192.168.1.50""#) == "192.168.1.40")
        #expect(client(name, "for=_hidden") == nil && client(name, "proto=https") == nil)
        #expect(word([name: ["for=192.168.1.40;proto=https"]])?.isSecure == true)
        #expect(word([name: ["for=192.168.1.40;proto=http"]])?.isSecure == false)
    }

    @Test("A field that the proxy does not write cannot change who asks")
    func contradiction() {
        let plain = ["X-Forwarded-For": ["192.168.1.40"]]
        #expect(
            word(plain.merging(["Forwarded": ["for=192.168.1.40"]]) { $1 })?.client?.text == "192.168.1.40")
        for field in ["for=192.168.1.50", "for=_hidden"] {
            let two = word(plain.merging(["Forwarded": [field]]) { $1 })
            #expect(two?.client == nil && two?.isContradictory == true, "\(field)")
        }
        #expect(word(["Forwarded": ["for=_hidden"]])?.isContradictory == false)
        #expect(word(plain.merging(["Forwarded": ["proto=http"]]) { $1 })?.client == nil)
        #expect(word(["X-Forwarded-Proto": ["http, https"]])?.isSecure == true)
    }

    @Test("Networks are read strictly")
    func networks() {
        for text in [
            "", "x", "192.168.1", "192.168.1.7/", "192.168.1.7/33", "0.0.0.0/0", "::/0", "10.0.0.0/-8",
            "::1/129",
        ] {
            #expect(ReverseProxies.Network(text) == nil, "\(text)")
        }
        #expect(ReverseProxies.Network("::1")!.contains(IPAddress("::1")!))
        #expect(!ReverseProxies.Network("10.0.0.0/8")!.contains(IPAddress("11.0.0.0")!))
    }
}
