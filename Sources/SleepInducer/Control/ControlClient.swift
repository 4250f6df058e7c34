import Foundation
import Glibc

/// Asks a running server; blocking, for commands.
struct ControlClient {
    let path: String

    init(directory: String) { path = "\(directory)/\(ControlWire.socketName)" }

    /// Nil: no server answers there, and the command may open the database itself.
    func ask(_ request: ControlRequest) throws -> ControlReply? {
        guard let socket = connected() else { return nil }
        defer { close(socket) }
        let line = try ControlWire.line(request)
        guard line.count <= ControlWire.longestLine else {
            throw Complaint("This is too much for one command. Use the page under Settings, Moving in.")
        }
        guard Self.send(line, to: socket) else { return nil }
        var reply: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while reply.count < ControlWire.longestLine {
            let count = read(socket, &chunk, chunk.count)
            guard count > 0 else { break }
            reply += chunk[..<count]
        }
        return try JSONDecoder().decode(ControlReply.self, from: Data(reply))
    }

    /// What only a running server can do.
    func said(_ request: ControlRequest) throws -> String {
        switch try ask(request) {
        case .done(let text): return text
        case .refused(let reason): throw Complaint(reason)
        case nil: throw Complaint("Start the server first: sudo systemctl start sleep-inducer")
        case .file, .health:
            throw Complaint("The server's answer does not fit. Does it run another version?")
        }
    }

    /// A long line takes several writes.
    private static func send(_ line: [UInt8], to socket: Int32) -> Bool {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func connected() -> Int32? {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
