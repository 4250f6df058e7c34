package import Foundation
import Logging
import Store
import Synchronization

extension Replica {
    /// Files that are the same on every node: the household's authority, the key of what it sends to others, and what a
    /// part in its own etcd needs.
    static let files = ["tls/ca.pem", HouseholdStore.outboundKeyName, EtcdSecrets.name]

    /// Takes keys that another node made for this one, the earliest first: with each it is known who has left.
    func takeKeys(_ values: [String: EtcdReading.Value]) {
        guard let own = NodeKey(raw: file.withLock { $0.privateKey }) else { return }
        let letters = values.compactMap { key, value in
            place.keyNumber(of: key, for: node).map { (number: $0, key: key, bytes: value.bytes) }
        }
        for (number, key, bytes) in letters.sorted(by: { $0.number < $1.number })
        where number > vault.current.newest {
            guard let letter = try? JSONDecoder().decode(KeyLetter.self, from: bytes),
                let sender = publicKey(of: letter.from, values),
                let keys: HouseholdKeys = own.open(letter.sealed, from: sender, for: key),
                keys.newest == number,
                vault.take(keys)
            else { continue }
            log.notice("The household's key was changed", metadata: ["number": "\(keys.newest)"])
            // What this node says of itself is sealed with it at once.
            state.withLock { $0.roll.age = 60 }
            keep { $0.keys.take(keys) }
            let access: EtcdAccess? = letter.access.flatMap {
                own.open($0, from: sender, for: KeyLetter.accessPlace(key))
            }
            if let access { use(access) }
        }
    }

    /// The public key of a node; nil where there is no such node, or where it left.
    private func publicKey(of number: Int, _ values: [String: EtcdReading.Value]) -> Data? {
        let key = place.node(number)
        let told: MemberValue? = vault.value(values[key]?.bytes, at: key)
        guard told?.hasLeft != true else { return nil }
        return file.withLock {
            number == node ? NodeKey(raw: $0.privateKey)?.publicKey : $0.publicKeys?[number]
        }
    }

    /// Changes this node's file. What cannot be written holds until the server stops.
    func keep(_ change: (inout ClusterFile) -> Void) {
        let changed = file.withLock { file -> ClusterFile? in
            let before = file
            change(&file)
            return file == before ? nil : file
        }
        guard let changed else { return }
        do { try changed.write(directory: directory) } catch {
            log.error("cluster.json cannot be written", metadata: ["error": "\(error)"])
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
        for name in Self.files {
            let (key, found) = (place.file(name), reading.values[place.file(name)])
            if found.flatMap({ vault.current.open($0.bytes, for: key) }) == nil {
                try offer(file: name, insteadOf: found?.revision ?? 0)
            }
        }
        for name in state.withLock({ $0.untoldFiles }) { try offer(file: name, insteadOf: nil) }
    }

    /// - Parameter revision: of what it takes the place of, 0 for nothing; nil: it takes the place of whatever there is.
    private func offer(file name: String, insteadOf revision: Int64?) throws(EtcdFault) {
        guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(name)") else { return }
        let key = place.file(name)
        _ = try client.commit(
            EtcdTransaction(
                comparing: revision.map { [key: $0] } ?? [:],
                puts: [key: vault.current.seal(bytes, for: key)]))
        state.withLock { _ = $0.untoldFiles.remove(name) }
    }

    /// A file was made here, in place of whatever there was.
    package func made(file name: String) {
        state.withLock { _ = $0.untoldFiles.insert(name) }
        pulse.async { [self] in
            do { try offer(file: name, insteadOf: nil) } catch {
                log.warning(
                    "The other machines get \(name) when they can be asked", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Lets one new machine in, which asks this one.
    package func invite() throws -> InvitationCode {
        let invitation = try Nodes.invite(file.withLock { $0 }, knowing: store.head)
        guard let code = address().flatMap({ InvitationCode(at: $0, secret: invitation.secret) }) else {
            throw ClusterFault.other("This machine is in no network in which another one could ask it.")
        }
        return code
    }

    /// What is handed out to a new machine; nil: there is no such invitation, or it is over. A machine that does not hear the
    /// others cannot know, and throws `ClusterFault.outOfTouch`.
    package func invitation(_ id: String) throws(ClusterFault) -> Data? {
        let (isLinked, found) = state.withLock { ($0.isLinked, $0.invitations[id]) }
        guard isLinked else { throw .outOfTouch }
        return found
    }

    func takeInvitations(_ values: [String: EtcdReading.Value], without ended: Set<String> = []) {
        state.withLock { state in
            for (key, value) in values {
                if let id = place.invitationID(of: key) { state.invitations[id] = value.bytes }
            }
            for key in ended {
                if let id = place.invitationID(of: key) { state.invitations[id] = nil }
            }
        }
    }
}
