import Glibc
import LocalNetwork
import Testing

@Suite struct SystemdNoticeTests {
    /// A datagram socket that stands for systemd's.
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

    @Test(arguments: [nil, "", "relative", "/nowhere/at/all", "@" + String(repeating: "x", count: 200)])
    func nobodyListens(path: String?) {
        #expect(!SystemdNotice.send(.ready, to: path))
    }
}
