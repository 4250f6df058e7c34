import Foundation
import LocalNetwork
import Synchronization
import Testing

@Suite struct ResolvedStubTests {
    private let root = NSTemporaryDirectory() + "resolved-\(UUID().uuidString)"
    private let files = FileManager.default

    /// A machine on which systemd-resolved runs and knows a router.
    private func furnish(upstreams: String = "nameserver 192.168.1.1\nsearch lan\n") throws {
        for folder in ["/etc/systemd", "/run/systemd/resolve"] {
            try files.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
        try write("/run/systemd/resolve/resolv.conf", upstreams)
        try write("/run/systemd/resolve/stub-resolv.conf", "nameserver 127.0.0.53\n")
        try link("/etc/resolv.conf", "../run/systemd/resolve/stub-resolv.conf")
    }

    private func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: root + path))
    }

    private func link(_ path: String, _ target: String) throws {
        try? files.removeItem(atPath: root + path)
        try files.createSymbolicLink(atPath: root + path, withDestinationPath: target)
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: root + path, encoding: .utf8) }

    private func target(_ path: String) -> String? {
        try? files.destinationOfSymbolicLink(atPath: root + path)
    }

    @Test("Each step is said, and this machine keeps its names")
    func stub() throws {
        try furnish()
        defer { try? files.removeItem(atPath: root) }
        let restarts = Mutex(0)
        let stub = ResolvedStub(root: root) { restarts.withLock { $0 += 1 } }
        let steps = try stub.switchOff()
        #expect(steps.count == 4 && steps[1].contains("192.168.1.1"))
        #expect(text(ResolvedStub.dropIn)?.contains("DNSStubListener=no\n") == true)
        #expect(target("/etc/resolv.conf") == "../run/systemd/resolve/resolv.conf")
        #expect(text("/etc/resolv.conf")?.contains("192.168.1.1") == true)
        #expect(
            steps[3]
                == "To undo it: sudo rm /etc/systemd/resolved.conf.d/sleep-inducer.conf && sudo ln -sf ../run/systemd/resolve/stub-resolv.conf /etc/resolv.conf && sudo systemctl restart systemd-resolved"
        )
        #expect(try stub.switchOff() == [] && restarts.withLock { $0 } == 1, "again, nothing is done")
    }

    @Test("A file that names the stub is kept beside it, one that does not stays")
    func plainFiles() throws {
        try furnish()
        defer { try? files.removeItem(atPath: root) }
        try files.removeItem(atPath: root + "/etc/resolv.conf")
        try write("/etc/resolv.conf", "nameserver 127.0.0.53\n")
        let steps = try ResolvedStub(root: root) {}.switchOff()
        #expect(text("/etc/resolv.conf.before-sleep-inducer") == "nameserver 127.0.0.53\n")
        #expect(steps.last?.contains("mv /etc/resolv.conf.before-sleep-inducer /etc/resolv.conf") == true)
        try files.removeItem(atPath: root + "/etc/resolv.conf")
        try files.removeItem(atPath: root + ResolvedStub.dropIn)
        try write("/etc/resolv.conf", "nameserver 9.9.9.9\n")
        #expect(try ResolvedStub(root: root) {}.switchOff().count == 3)
        #expect(text("/etc/resolv.conf") == "nameserver 9.9.9.9\n")
    }

    @Test("Nothing is changed where it would leave the machine without names, or fails")
    func refusals() throws {
        #expect(throws: ResolvedStub.Fault.self) { try ResolvedStub(root: root) {}.switchOff() }
        try furnish(upstreams: "# none\n")
        defer { try? files.removeItem(atPath: root) }
        #expect(throws: ResolvedStub.Fault.self) { try ResolvedStub(root: root) {}.switchOff() }
        try write("/run/systemd/resolve/resolv.conf", "nameserver 192.168.1.1\n")
        struct Broken: Error {}
        #expect(throws: ResolvedStub.Fault.self) {
            try ResolvedStub(root: root) { throw Broken() }.switchOff()
        }
        #expect(text(ResolvedStub.dropIn) == nil)
        #expect(target("/etc/resolv.conf") == "../run/systemd/resolve/stub-resolv.conf")
    }

    @Test("The true upstreams are found behind systemd-resolved and NetworkManager")
    func upstreams() throws {
        try furnish()
        defer { try? files.removeItem(atPath: root) }
        #expect(ResolverSettings.current(own: [], root: root).resolvers == ["192.168.1.1"])
        try files.removeItem(atPath: root + "/run/systemd")
        try files.removeItem(atPath: root + "/etc/resolv.conf")
        try files.createDirectory(atPath: root + "/run/NetworkManager", withIntermediateDirectories: true)
        try write("/etc/resolv.conf", "search fritz.box\nnameserver 127.0.0.1\n")
        #expect(
            ResolverSettings.current(own: [], root: root) == ResolverSettings(searchDomains: ["fritz.box"]))
        try write("/run/NetworkManager/no-stub-resolv.conf", "search fritz.box\nnameserver 192.168.1.254\n")
        #expect(ResolverSettings.current(own: [], root: root).resolvers == ["192.168.1.254"])
    }
}
