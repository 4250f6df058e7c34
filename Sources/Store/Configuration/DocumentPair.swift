import Foundation
import Policy

/// The two records of one document: the row and the copy.
struct DocumentPair {
    private enum Order {
        /// There is no copy, or an older one.
        case alone
        case same
        /// The copy is newer than the row.
        case wentBack
    }

    let key: Document.Key
    let row: Document?
    private let copy: Document?
    private let order: Order
    /// Whether the copy holds although it is not as it was written.
    private let isPartial: Bool

    static func all(_ rows: [Document], _ record: LastKnown.Record?, revision: Int64) -> [DocumentPair] {
        let (mine, theirs) = (rows.byKey, record?.byKey ?? [:])
        let order: Order =
            record.map { $0.revision > revision ? .wentBack : $0.revision == revision ? .same : .alone }
            ?? .alone
        var keys = Set(mine.keys)
        if order != .alone { keys.formUnion(theirs.keys) }
        // A copy that lost a part may have lost somebody's session.
        let isPartial = order == .wentBack && record?.isWhole == false
        if isPartial {
            keys.formUnion(keys.filter { $0.kind == .person }.map { Document.Key(kind: .session, id: $0.id) })
        }
        return keys.sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }.map {
            DocumentPair(
                key: $0, row: mine[$0], copy: theirs[$0], order: order, isPartial: isPartial)
        }
    }

    /// The document's entity, and how it was mended; a nil remedy: it was not damaged. The entity is nil if the
    /// document was removed.
    ///
    /// A damaged document is replaced by another with the same digest or the same text. If there is none, its readable
    /// part applies, else an older document. Both count as strictly as possible (`Household.holdStrictly`).
    ///
    /// - Parameter older: the document in a backup; called if a record is damaged.
    func entity(
        lastInstant: Date?, at now: Date, older: () -> Document?
    ) -> (entity: Entity?, remedy: Reading.Remedy?) {
        let (found, remedy) = found(lastInstant: lastInstant, older: older)
        guard key.kind == .session else { return (found, remedy) }
        var session = found?.session
        // The newer record may have ended the session, or the older record may be all that is left of it.
        if order == .wentBack {
            session = SleepSession.stricter(session, whole(row)?.session, at: now)
        }
        if isPartial { session = SleepSession.stricter(session, whole(older())?.session, at: now) }
        return (session.map(Entity.session), remedy)
    }

    private func found(lastInstant: Date?, older: () -> Document?) -> (Entity?, Reading.Remedy?) {
        let (first, second) = order == .wentBack ? (copy, row) : (row, order == .same ? copy : nil)
        if let entity = whole(first) { return (entity, nil) }
        if order == .same, let entity = whole(second) { return (entity, .copy) }
        // A damaged copy alone does not prove that its id exists.
        guard let first, order != .same || second != nil else { return (nil, nil) }
        let others: [(Document?, Reading.Remedy)] = [(second, .database), (older(), .backup)]
        for (other, remedy) in others where other?.digest == first.digest || other?.json == first.json {
            if let entity = whole(other) { return (entity, remedy) }
        }
        if let rest = rest(of: first, lastInstant: lastInstant) { return (rest, .rest) }
        for (other, _) in others { if let entity = whole(other) { return (entity, .older) } }
        return (standIn, .nothing)
    }

    private func whole(_ document: Document?) -> Entity? {
        guard let document, document.isWhole, let entity = try? Entity(key, json: document.json),
            entity.session?.isWhole ?? true
        else { return nil }
        return entity
    }

    private func rest(of document: Document, lastInstant: Date?) -> Entity? {
        guard key.kind == .session else { return try? Entity(key, json: document.json) }
        return .session(SleepSession(restOf: document.json, lastInstant: lastInstant))
    }

    /// Replaces a document of which nothing could be read.
    private var standIn: Entity {
        let past = Date(timeIntervalSince1970: 0)
        return switch key.kind {
        case .house, .session: .house(Household(timeZone: "UTC", people: []))
        case .person: .person(Person(id: PersonID(rawValue: key.id), name: "Person \(key.id)"))
        case .device:
            .device(
                Device(
                    id: DeviceID(rawValue: key.id), name: "Device \(key.id)", isNamed: false, addresses: [],
                    firstSeen: past, lastSeen: past))
        }
    }
}

extension [Document] {
    fileprivate var byKey: [Document.Key: Document] {
        Dictionary(map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension LastKnown.Record {
    var byKey: [Document.Key: Document] { documents.byKey }
}

extension Entity {
    fileprivate var session: SleepSession? {
        if case .session(let session) = self { session } else { nil }
    }
}

/// The readable parts of a session's document, each on its own.
private struct SessionRest: Decodable {
    var id: UUID?
    var mode: ScheduleMode?
    var strictness: StrictnessMode?
    var startedAt: Date?
    var endsAt: Date?
    var allowed: AppSelection?
    var night: CivilDate?

    private enum CodingKeys: String, CodingKey {
        case id, mode, strictness, startedAt, endsAt, allowed, night
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try? values.decode(UUID.self, forKey: .id)
        mode = try? values.decode(ScheduleMode.self, forKey: .mode)
        strictness = try? values.decode(StrictnessMode.self, forKey: .strictness)
        startedAt = try? values.decode(Date.self, forKey: .startedAt)
        endsAt = try? values.decode(Date.self, forKey: .endsAt)
        allowed = try? values.decode(AppSelection.self, forKey: .allowed)
        night = try? values.decode(CivilDate.self, forKey: .night)
    }
}

extension SleepSession {
    fileprivate init(restOf json: String, lastInstant: Date?) {
        let rest =
            (try? JSONDecoder.ofDocuments.decode(SessionRest.self, from: Data(json.utf8))) ?? SessionRest()
        let start = rest.startedAt ?? lastInstant ?? .distantPast
        self = .mended(
            id: rest.id ?? UUID(), mode: rest.mode, strictness: rest.strictness, startedAt: start,
            endsAt: rest.endsAt ?? start,
            allowed: rest.allowed ?? AppSelection(), night: rest.night, lastInstant: lastInstant)
    }
}
