import Glibc
import LocalNetwork
import Testing

@Suite struct SystemdNoticeTests {
    /// A datagram socket in place of systemd's.
    private static func listener(_ name: [UInt8]) -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(2 + name.count)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        return status == 0 ? listener : -1
    }

    private static func received(_ listener: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = recv(listener, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func abstractSocket() {
        let name = "sleep-inducer-test-\(getpid())"
        let listener = Self.listener([0] + Array(name.utf8))
        defer { close(listener) }
        #expect(SystemdNotice.send(.ready, .status("two\nlines"), to: "@" + name))
        #expect(Self.received(listener) == "READY=1\nSTATUS=two lines")
    }

    @Test func socketFile() {
        let path = "/tmp/sleep-inducer-test-\(getpid()).sock"
        unlink(path)
        let listener = Self.listener(Array(path.utf8))
        defer {
            close(listener)
            unlink(path)
        }
        #expect(SystemdNotice.send(.stopping, to: path))
        #expect(Self.received(listener) == "STOPPING=1")
        #expect(SystemdNotice.send(.watchdog, to: path))
        #expect(Self.received(listener) == "WATCHDOG=1")
    }

    @Test func socketsGoToWhoeverKeepsThem() throws {
        let name = "sleep-inducer-test-keep-\(getpid())"
        let listener = Self.listener([0] + Array(name.utf8))
        defer { close(listener) }
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        #expect(SystemdNotice.keep([ends[1]], as: "udp-53-127.0.0.1", to: "@" + name))
        close(ends[1])
        #expect(Self.received(listener) == "FDSTORE=1\nFDPOLL=0\nFDNAME=udp-53-127.0.0.1")
        #expect(SystemdNotice.forget("udp-53-127.0.0.1", to: "@" + name))
        #expect(Self.received(listener) == "FDSTOREREMOVE=1\nFDNAME=udp-53-127.0.0.1")
        #expect(!SystemdNotice.keep(Array(repeating: ends[0], count: 254), as: "x", to: "@" + name))
        close(ends[0])
    }

    @Test(arguments: [nil, "", "relative", "/nowhere/at/all", "@" + String(repeating: "x", count: 200)])
    func nobodyListens(path: String?) {
        #expect(!SystemdNotice.send(.ready, to: path))
    }
}
