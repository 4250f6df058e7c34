import Foundation
import Logging
import Store
import Synchronization

extension Replica {
    /// Files that are the same on every node: the household's authority, and the key of what it sends to others.
    static let files = ["tls/ca.pem", HouseholdStore.outboundKeyName]

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
        let untold = state.withLock { $0.untoldFiles }
        for name in Self.files where !untold.contains(name) {
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

    /// Gives the others what only this node has, and what was made here while they could not be told.
    func offerFiles(missingIn reading: EtcdReading) throws(EtcdFault) {
        for name in Self.files where reading.values[place.file(name)] == nil {
            try offer(file: name, isNew: false)
        }
        for name in state.withLock({ $0.untoldFiles }) { try offer(file: name, isNew: true) }
    }

    /// - Parameter isNew: whether it takes the place of whatever there is; otherwise the first offer holds.
    private func offer(file name: String, isNew: Bool) throws(EtcdFault) {
        guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(name)") else { return }
        let key = place.file(name)
        _ = try client.commit(
            EtcdTransaction(
                comparing: isNew ? [:] : [key: 0], puts: [key: vault.current.seal(bytes, for: key)]))
        state.withLock { _ = $0.untoldFiles.remove(name) }
    }

    /// A file was made here, in place of whatever there was.
    package func made(file name: String) {
        state.withLock { _ = $0.untoldFiles.insert(name) }
        pulse.async { [self] in
            do { try offer(file: name, isNew: true) } catch {
                log.warning(
                    "The other machines get \(name) when they can be asked", metadata: ["error": "\(error)"])
            }
        }
    }
}
