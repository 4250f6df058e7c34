import Foundation
import Policy

/// What both records say of one document.
struct DocumentPair {
    private enum Order {
        /// There is no copy that is as new.
        case alone
        case same
        /// The copy is newer than the row.
        case wentBack
    }

    let key: Document.Key
    let row: Document?
    private let copy: Document?
    private let order: Order

    static func all(_ rows: [Document], _ record: LastKnown.Record?, revision: Int64) -> [DocumentPair] {
        let mine = Dictionary(rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let theirs = Dictionary(
            (record?.documents ?? []).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let order: Order =
            record.map { $0.revision > revision ? .wentBack : $0.revision == revision ? .same : .alone }
            ?? .alone
        let keys = order == .alone ? Set(mine.keys) : Set(mine.keys).union(theirs.keys)
        return keys.sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }.map {
            DocumentPair(key: $0, row: mine[$0], copy: theirs[$0], order: order)
        }
    }

    /// What holds, and what had to be done for it; nil: nothing had. One that is not there by now holds nothing.
    func entity(older: () -> Document?) -> (Entity?, Reading.Remedy?) {
        let mine = found(row)
        if order != .wentBack, mine.isWhole { return (mine.entity, nil) }
        let theirs = found(copy)
        if order != .alone, copy == nil { return (nil, nil) }
        if theirs.isWhole { return (theirs.entity, order == .wentBack ? nil : .copy) }
        if let rest = (order == .wentBack ? theirs.entity : nil) ?? mine.entity { return (rest, .rest) }
        if let entity = found(older()).entity { return (entity, .backup) }
        return (standIn, .nothing)
    }

    /// The same of a session: one that is damaged counts as strict until its end.
    func session(lastInstant: Date?, at now: Date) -> (Entity?, Reading.Remedy?) {
        let (mine, theirs) = (whole(row), whole(copy))
        switch order {
        case .alone, .same:
            if let row, mine == nil {
                let known = order == .same ? theirs?.asStrict : nil
                let mended = known ?? SleepSession(restOf: row.json, lastInstant: lastInstant)
                return (.session(mended), known == nil ? .rest : .copy)
            }
            let held = order == .same ? SleepSession.stricter(mine, theirs, at: now) : mine
            return (held.map(Entity.session), held == mine ? nil : .copy)
        case .wentBack:
            let held = theirs ?? copy.map { SleepSession(restOf: $0.json, lastInstant: lastInstant) }
            return (SleepSession.stricter(held, mine, at: now).map(Entity.session), nil)
        }
    }

    /// Whole is what is as it was written: nothing of it is left out when it is read.
    private func found(_ document: Document?) -> (entity: Entity?, isWhole: Bool) {
        guard let document, let entity = try? Entity(key, json: document.json) else { return (nil, false) }
        let isSaidTwice = order == .same && row?.json == copy?.json
        return (entity, isSaidTwice || (try? entity.json()) == document.json)
    }

    private func whole(_ document: Document?) -> SleepSession? {
        guard let document, case .session(let session)? = try? Entity(key, json: document.json),
            session.isWhole
        else { return nil }
        return session
    }

    /// Of what nothing could be read.
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

/// What can be read of a session's document, each part for itself.
private struct SessionRest: Decodable {
    var id: UUID?
    var mode: ScheduleMode?
    var startedAt: Date?
    var endsAt: Date?
    var allowed: AppSelection?
    var night: CivilDate?

    private enum CodingKeys: String, CodingKey { case id, mode, startedAt, endsAt, allowed, night }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try? values.decode(UUID.self, forKey: .id)
        mode = try? values.decode(ScheduleMode.self, forKey: .mode)
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
            id: rest.id ?? UUID(), mode: rest.mode, startedAt: start, endsAt: rest.endsAt ?? start,
            allowed: rest.allowed ?? AppSelection(), night: rest.night, lastInstant: lastInstant)
    }
}
