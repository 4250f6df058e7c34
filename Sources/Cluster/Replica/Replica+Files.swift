import Foundation
import Logging
import Store
import Synchronization

extension Replica {
    /// Files that are the same on every node: the household's authority, and the key of what it sends to others.
    static let files = ["tls/ca.pem", "outbound.key"]

    /// Keys that another node made for this one.
    func takeKeys(_ values: [String: EtcdReading.Value]) {
        guard let own = NodeKey(raw: file.withLock { $0.privateKey }) else { return }
        for (key, value) in values {
            guard key.hasPrefix(place.now + "key/"), key.hasSuffix("/\(node)"),
                let keys = own.open(value.bytes, for: key), vault.take(keys)
            else { continue }
            log.notice("The household's key was changed", metadata: ["number": "\(keys.newest)"])
            let changed = file.withLock { file in
                file.keys.take(keys)
                return file
            }
            do { try changed.write(directory: directory) } catch {
                log.error("The household's new key cannot be kept", metadata: ["error": "\(error)"])
            }
        }
    }

    func takeFiles(_ values: [String: EtcdReading.Value]) {
        var isNews = false
        for name in Self.files {
            let key = place.file(name)
            guard let sealed = values[key]?.bytes, let bytes = vault.current.open(sealed, for: key),
                FileManager.default.contents(atPath: "\(directory)/\(name)") != bytes
            else { continue }
            do {
                try PrivateFile.write(bytes, to: name, in: directory)
                isNews = true
            } catch { log.error("A file of another machine cannot be kept", metadata: ["error": "\(error)"]) }
        }
        if isNews { filesChanged() }
    }

    /// Gives the others what only this node has.
    func offerFiles(missingIn reading: EtcdReading) throws(EtcdFault) {
        for name in Self.files where reading.values[place.file(name)] == nil {
            guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(name)") else { continue }
            let key = place.file(name)
            _ = try client.commit(
                EtcdTransaction(comparing: [key: 0], puts: [key: vault.current.seal(bytes, for: key)]))
        }
    }

    /// A file was made here, in place of whatever there was.
    package func made(file name: String) {
        pulse.async { [self] in
            guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(name)") else { return }
            let key = place.file(name)
            do {
                _ = try client.commit(EtcdTransaction(puts: [key: vault.current.seal(bytes, for: key)]))
            } catch { log.error("The other machines did not get \(name)", metadata: ["error": "\(error)"]) }
        }
    }
}
