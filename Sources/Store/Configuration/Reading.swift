import Foundation
import GRDB
import Policy

/// The household that two records yield: the database's documents and those of `last-known.json` beside them.
///
/// The records are equal unless one is damaged, because the copy is written after each change (`Revision`). A damaged
/// document is taken from the other record; if that fails, its readable part applies. If the rows are older, damage
/// undid changes, and the copy holds. If sessions differ then, the stricter one holds. Where the copy is damaged too, the
/// newest backup is a third record.
struct Reading {
    private(set) var household: Household
    /// Whether the rows were older than the copy.
    let wentBack: Bool
    /// The number of the newest record.
    let revision: Int64
    /// What people are told about it, in sentences.
    private(set) var damage: [String] = []
    /// The documents whose rows differ from the household.
    private var toWrite: Set<Document.Key> = []
    /// Whether the row of a person or device to which history refers is missing.
    private var lacksOwners = false

    /// Nil if the house, or every person, cannot be read.
    ///
    /// - Parameters:
    ///   - owners: the rows of people and devices.
    ///   - lastInstant: the last instant that the server noted.
    ///   - isCopyDamaged: whether there is a copy that is not as it was written, read or not.
    ///   - older: a backup; called if a record is damaged.
    init?(
        _ rows: [Document], revision: Int64 = 0, owners: DocumentTable.Owners = DocumentTable.Owners(),
        copy: LastKnown.Record? = nil, isCopyDamaged: Bool = false, lastInstant: Date? = nil,
        at now: Date = .distantPast, older: () -> LastKnown.Record? = { nil }
    ) {
        var copy = copy
        var known: LastKnown.Record??
        func backup() -> LastKnown.Record? {
            known = known ?? .some(older())
            return known.flatMap { $0 }
        }
        // A whole backup of the same change is worth more than a damaged copy, which may lack a document.
        if isCopyDamaged, let backup = backup(), backup.revision > revision,
            backup.revision >= copy?.revision ?? 0
        {
            copy = backup
        }
        wentBack = copy.map { $0.revision > revision } ?? false
        self.revision = max(revision, copy?.revision ?? 0)
        var entities: [Document.Key: Entity] = [:]
        var damaged: [(key: Document.Key, remedy: Remedy)] = []
        var texts: [Document.Key: Document]?
        for pair in DocumentPair.all(rows, copy, revision: revision) {
            let (entity, remedy) = pair.entity(lastInstant: lastInstant ?? now, at: now) {
                let found = texts ?? backup()?.byKey ?? [:]
                texts = found
                return found[pair.key]
            }
            entities[pair.key] = entity
            if let remedy { damaged.append((pair.key, remedy)) }
            if remedy != nil || entity == nil || pair.row == nil || wentBack { toWrite.insert(pair.key) }
        }
        for key in entities.keys where key.kind == .session {
            if entities[Document.Key(kind: .person, id: key.id)] == nil { toWrite.insert(key) }
        }
        guard let found = Household(entities, seen: owners.seen) else { return nil }
        household = found
        household.holdStrictly(damaged.filter { $0.remedy.isGuess }.map(\.key))
        lacksOwners =
            !owners.people.isSuperset(of: found.people.map(\.id))
            || found.devices.contains { owners.seen[$0.id] == nil }
        say(damaged)
    }

    /// What became of a damaged document.
    enum Remedy: String {
        case copy = "as the copy beside the database has it"
        case database = "as the database has it"
        case backup = "as the last backup has it"
        case rest = "what can be read of it holds"
        case older = "as an older copy has it"
        case nothing = "nothing of it could be read"

        /// Whether the result may differ from what was written.
        var isGuess: Bool { [.rest, .older, .nothing].contains(self) }
    }

    var isToBeWritten: Bool { !toWrite.isEmpty || wentBack || lacksOwners }

    /// Corrects the rows, in the caller's transaction.
    func write(_ db: Database, revision: Int64) throws {
        if wentBack { try db.execute(sql: "DELETE FROM login; DELETE FROM api_token") }
        try DocumentTable.writeOwners(db, from: nil, to: household)
        let entities = household.entities
        for key in toWrite {
            if let json = try entities[key]?.json() {
                try DocumentTable.put(db, Document(key, json: json))
            } else {
                try DocumentTable.remove(db, key)
            }
        }
        try Revision.write(db, revision)
    }

    private mutating func say(_ damaged: [(key: Document.Key, remedy: Remedy)]) {
        let parts = damaged.filter { $0.key.kind != .session }.map { key, remedy in
            "\(household.name(of: key)): \(remedy.rawValue)"
        }
        if !parts.isEmpty {
            damage.append("Part of the stored data is damaged: \(parts.joined(separator: "; ")).")
        }
        if damaged.contains(where: { $0.remedy.isGuess && $0.key.kind != .session }) {
            damage.append(
                "The strictest rules apply where it is unknown who is a child, or who owns a device.")
        }
        if wentBack {
            damage.append(
                "The database was older than the copy of the rules, because its newest changes were damaged. "
                    + "The rules of the copy are in force. Where a session differed, it is the stricter one. "
                    + "Log in again in every browser, and make new tokens for programs.")
        }
        for (key, _) in damaged where key.kind == .session {
            guard let person = household[person: PersonID(rawValue: key.id)], let session = person.session
            else { continue }
            damage.append(
                "The stored session of \(CleanName.cleaned(person.name)) was damaged. It counts as \(session.strictness) "
                    + "until \(household.zone.time(of: session.endsAt)).")
        }
    }
}

extension Household {
    /// What a document is about, for people.
    fileprivate func name(of key: Document.Key) -> String {
        let name =
            switch key.kind {
            case .house: "the house's settings"
            case .person, .session: self[person: PersonID(rawValue: key.id)].map { "the rules of \($0.name)" }
            case .device: self[device: DeviceID(rawValue: key.id)].map { "the device \($0.name)" }
            }
        return CleanName.cleaned(name ?? "\(key.kind) \(key.id)")
    }

    /// Damage must not loosen anything. If no whole record of a person is left, the person counts as a child. A device
    /// or a new-device rule without one counts as a child's.
    fileprivate mutating func holdStrictly(_ keys: [Document.Key]) {
        let guessed = Set(keys.filter { $0.kind == .person }.map { PersonID(rawValue: $0.id) })
        let children = people.filter { $0.role == .child }
        for index in people.indices where guessed.contains(people[index].id) {
            people[index].role = .child
            people[index].defaultStrictness = .strict
            people[index].looseningDelay = PendingChange.delays.max() ?? 0
        }
        let child = children.first { !guessed.contains($0.id) } ?? people.first { $0.role == .child }
        // What belongs to a child stays with that child: another child may have fewer rules.
        func isChilds(_ owner: PersonID?) -> Bool { children.contains { $0.id == owner } }
        for key in keys {
            if key.kind == .house, let child, !isChilds(newDevicesBelongTo) { newDevicesBelongTo = child.id }
            guard key.kind == .device, let index = devices.firstIndex(where: { $0.id.rawValue == key.id }),
                !isChilds(devices[index].person)
            else { continue }
            devices[index].person = (child ?? people.first)?.id
            devices[index].family = nil
        }
    }
}
