import Foundation
import Glibc
import Logging
import Synchronization

/// Keeps the server's own certificate in `DIR/tls/own.pem` (0600, key and certificate): made when it is first needed,
/// again when the names or addresses are others, and before its end. The key stays.
final class LeafKeeper: Sendable {
    static let folder = "tls"
    private static let file = "own.pem"

    private let folder: String
    private let logger: Logger
    private let current = Mutex<OwnLeaf?>(nil)

    /// - Parameter directory: the household's data.
    init(directory: String, logger: Logger) {
        folder = "\(directory)/\(Self.folder)"
        self.logger = logger
    }

    /// The certificate for a subject when it is another than the last time; nil when that one still serves.
    func renewed(for subject: LeafSubject, at now: Date) -> OwnLeaf? {
        current.withLock { current in
            if let current, current.serves(subject, at: now) { return nil }
            let known = current ?? stored
            if let known, current == nil, known.serves(subject, at: now) {
                current = known
                return known
            }
            do {
                let leaf =
                    try known.map { try OwnLeaf(key: $0.key, for: subject, at: now) }
                    ?? OwnLeaf(for: subject, at: now)
                current = leaf
                keep(leaf)
                return leaf
            } catch {
                logger.error("No certificate could be made", metadata: ["error": "\(error)"])
                return nil
            }
        }
    }

    private var stored: OwnLeaf? {
        guard let text = try? String(contentsOfFile: "\(folder)/\(Self.file)", encoding: .utf8) else {
            return nil
        }
        return try? OwnLeaf(pem: text)
    }

    /// Written beside the old one and put in its place; where that fails, the next start makes another.
    private func keep(_ leaf: OwnLeaf) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let bytes = Array(try leaf.pem.utf8)
            let path = "\(folder)/\(Self.file)"
            let new = path + ".new"
            unlink(new)
            let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            let written = write(descriptor, bytes, bytes.count)
            close(descriptor)
            guard written == bytes.count, rename(new, path) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        } catch {
            logger.error("The certificate could not be kept", metadata: ["error": "\(error)"])
        }
    }
}
