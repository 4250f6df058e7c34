import Foundation

/// One etcd of Debian's `etcd-server` on loopback, whose data go with it.
final class RealEtcd: Sendable {
    let endpoint: String
    let directory: String
    private let process: Process

    /// - Parameter flags: more of etcd's own.
    init(_ flags: [String] = []) throws {
        directory = NSTemporaryDirectory() + "etcd-\(UUID().uuidString)"
        let (client, peer) = (Self.freePort(), Self.freePort())
        endpoint = "http://127.0.0.1:\(client)"
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/etcd")
        process.arguments =
            [
                "--data-dir", directory, "--listen-client-urls", endpoint, "--advertise-client-urls",
                endpoint,
                "--listen-peer-urls", "http://127.0.0.1:\(peer)", "--initial-advertise-peer-urls",
                "http://127.0.0.1:\(peer)", "--initial-cluster", "default=http://127.0.0.1:\(peer)",
            ] + flags
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Sends the process a signal: SIGSTOP, SIGCONT. A busy machine stops its threads a little later, so it waits for that.
    func send(_ signal: Int32) {
        let id = process.processIdentifier
        kill(id, signal)
        guard signal == SIGSTOP else { return }
        for _ in 0..<1_000 {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
            let states = threads.compactMap { thread in
                try? String(contentsOfFile: "/proc/\(id)/task/\(thread)/stat", encoding: .utf8)
            }
            // proc(5): the state comes after the name in brackets.
            if states.allSatisfy({ $0.contains(") T ") }) { return }
            usleep(1_000)
        }
    }

    /// Runs etcdctl on it.
    @discardableResult
    func control(_ arguments: [String]) throws -> Int32 {
        let control = Process()
        control.executableURL = URL(filePath: "/usr/bin/etcdctl")
        control.arguments = ["--endpoints", endpoint] + arguments
        control.environment = ["ETCDCTL_API": "3", "PATH": "/usr/bin:/bin"]
        control.standardOutput = FileHandle.nullDevice
        control.standardError = FileHandle.nullDevice
        try control.run()
        control.waitUntilExit()
        return control.terminationStatus
    }

    private static func freePort() -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                _ = bind(socket, raw, length)
                _ = getsockname(socket, raw, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }
}
