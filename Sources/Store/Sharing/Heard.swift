import Foundation
import GRDB
import Policy
import Synchronization

/// What news change in this store.
struct Heard {
    let household: Household
    let access: Access
    let entries: [LogEntry]
    private(set) var sharing: Sharing
    private let before: (sharing: Sharing, access: Access)
    /// Sessions that ended; the disk may refuse them.
    let past: [PastSession]
    let letters: HeardLetters

    /// - Parameter isMerging: whether changes that only this node knows are merged into the news.
    init(
        _ news: SharedNews, by store: HouseholdStore, after old: Sharing, in known: Household, isMerging: Bool
    ) throws {
        var sharing = old
        sharing.head = news.head
        sharing.texts = news.isWhole ? news.puts : old.texts.merging(news.puts) { $1 }
        for name in news.removals { sharing.texts[name] = nil }
        for name in news.unreadable { sharing.texts[name] = old.texts[name] }
        try news.check(sharing.texts, after: old.head == .none ? news.base ?? .none : old.head)
        var story = Story()
        for (number, json) in news.stories.sorted(by: { $0.key < $1.key }) where number > old.head.number {
            if let told = try? Story(json: json) { story.add(told) }
        }
        let access = store.access.withLock { $0 }
        var names = Set(news.puts.keys).union(news.removals)
        if news.isWhole {
            names.formUnion(try known.texts().keys)
            names.formUnion(try access.texts().keys)
            names.formUnion(old.texts.keys)
        }
        names.subtract(news.unreadable)
        let told = isMerging ? known.told(by: old.node, after: old.texts) : known
        let heard = try told.hearing(sharing.texts, names, after: old.texts, isMerging)
            .adding(story.focus, heldBy: known).counted(in: sharing, after: known)
        household = heard
        self.access = try access.hearing(sharing.texts, names, after: old.texts, isMerging)
        // Lines of a removed person go with the person; here they would become the household's.
        entries = story.entries.filter { entry in entry.person.map { heard[person: $0] != nil } ?? true }
        past = story.past.filter { heard[person: $0.person] != nil }
        self.sharing = sharing
        letters = HeardLetters(from: old, to: sharing, names: names)
        before = (old, access)
    }

    /// After the household's rows.
    func write(_ db: Database) throws {
        for session in past { try PastSessionRecord.write(db, session) }
        try SharedTable.write(db, from: before.sharing.texts, to: sharing.texts)
        try access.write(db, from: before.access.rows)
        try letters.write(db)
    }
}

extension Household {
    /// The household with what the shared texts say now. An unreadable text changes nothing.
    fileprivate func hearing(
        _ texts: [String: String], _ names: Set<String>, after old: [String: String], _ isMerging: Bool
    ) throws -> Household {
        let keys = names.compactMap { Document.Key(name: $0) }
        if !isMerging, let heard = hearing(texts, ofPeople: keys) { return heard }
        let known = entities
        var entities = known
        for key in keys {
            var text = texts[key.name]
            if isMerging {
                text = try JSONValue.merged(
                    base: try Entity.read(key, old[key.name]).map { try JSONValue(json: $0.json()) },
                    mine: try known[key].map { try JSONValue(json: $0.json()) },
                    theirs: try text.map { try JSONValue(json: $0) }, preferring: .theirs)?.json
            }
            guard let text else {
                entities[key] = nil
                continue
            }
            entities[key] = Entity.read(key, text) ?? known[key]
        }
        if isMerging { Self.forgetTwins(in: &entities, knownTo: texts) }
        let seen = Dictionary(devices.map { ($0.id, $0.lastSeen) }) { first, _ in first }
        return Household(entities, seen: seen) ?? self
    }

    /// With finished focus sessions that are not in the history yet: those that were told, and those that the disk of
    /// this node refused.
    fileprivate func adding(_ told: [Story.Finished], heldBy known: Household) -> Household {
        var household = self
        for (index, person) in people.enumerated() {
            let held = known[person: person.id]?.focus.finished ?? []
            let news = told.filter { $0.person == person.id && !held.contains($0.session) }
            household.people[index].focus.finished = held + news.map(\.session)
        }
        return household
    }

    /// The same where known people, their sessions and the house changed, as in most news: thousands of devices stay the
    /// same array, which compares at once. Nil: more changed.
    private func hearing(_ texts: [String: String], ofPeople keys: [Document.Key]) -> Household? {
        var (read, ended) = ([Document.Key: Entity](), Set<Int64>())
        for key in keys {
            guard key.kind != .device, key.kind == .house || self[person: PersonID(rawValue: key.id)] != nil
            else { return nil }
            if let text = texts[key.name] {
                read[key] = Entity.read(key, text)
            } else if key.kind == .session {
                ended.insert(key.id)
            } else {
                return nil
            }
        }
        var heard = taking(read)
        for index in heard.people.indices where ended.contains(heard.people[index].id.rawValue) {
            heard.people[index].session = nil
        }
        return heard.withoutDangling(after: self)
    }

    /// If this node met a device while it was cut off, and the others met it too, theirs stays.
    private static func forgetTwins(
        in entities: inout [Document.Key: Entity], knownTo texts: [String: String]
    ) {
        func hardware(_ entity: Entity) -> String? {
            if case .device(let device) = entity { device.hardwareAddress } else { nil }
        }
        let theirs = Set(entities.filter { texts[$0.key.name] != nil }.values.compactMap(hardware))
        entities = entities.filter { key, entity in
            texts[key.name] != nil || hardware(entity).map { !theirs.contains($0) } ?? true
        }
    }
}

extension Access {
    fileprivate func hearing(
        _ texts: [String: String], _ names: Set<String>, after old: [String: String], _ isMerging: Bool
    ) throws -> Access {
        var own = try self.texts()
        let names = names.filter { $0.hasPrefix("access/") }
        guard !names.isEmpty else { return self }
        for name in names where !isMerging || own[name] == old[name] { own[name] = texts[name] }
        return taking(own)
    }
}
