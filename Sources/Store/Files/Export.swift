package import Foundation
import GRDB
package import Policy

extension HouseholdStore {
    /// Everything about the household as JSON with the seeds' key names; never a secret, a hash or a token.
    ///
    /// - Parameter hidesUseOf: people whose minutes are left out.
    package func export(at now: Date, hidesUseOf hidden: Set<PersonID> = []) throws -> Data {
        var household = household
        for index in household.people.indices where hidden.contains(household.people[index].id) {
            household.people[index].verified.snapshot = nil
            household.people[index].verified.upload = nil
        }
        let told = household.people.map(\.id).filter { !hidden.contains($0) }
        let focus = try household.people.map { person in
            FocusFiles(
                person: person.id.rawValue,
                sessions: SessionsFile.list(try allFocusSessions(of: person.id)),
                timerState: TimerState(person.focus.timer, at: now))
        }
        let document = try read { db in
            ExportDocument(
                household: household,
                log: try Row.fetchAll(db, sql: "SELECT * FROM event ORDER BY id")
                    .compactMap(EventLog.entry)
                    .filter { $0.kind != .limitReached || $0.person.map { !hidden.contains($0) } ?? true }
                    .map(EventDocument.init),
                pastSessions: try Row.fetchAll(db, sql: "SELECT * FROM past_session ORDER BY started_at, id")
                    .compactMap { try? PastSessionRecord.past($0) }.map(PastSessionDocument.init),
                focus: focus, verified: try VerifiedExport.all(db, of: told),
                webhooks: try WebhookRecord.all(db, log: log).map(WebhookExport.init))
        }
        let encoder = JSONEncoder.ofDocuments
        encoder.outputFormatting.insert(.prettyPrinted)
        return try encoder.encode(document)
    }
}

/// What `export` prints.
private struct ExportDocument: Encodable {
    var household: Household
    var log: [EventDocument]
    var pastSessions: [PastSessionDocument]
    var focus: [FocusFiles]
    var verified: [VerifiedExport]
    var webhooks: [WebhookExport]

    private enum CodingKeys: String, CodingKey {
        case people, devices, log, pastSessions, focus, verified, webhooks
    }

    /// The household's keys are at the top level, beside the others.
    func encode(to encoder: any Encoder) throws {
        try household.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(household.people.map(PersonWithSession.init), forKey: .people)
        try container.encode(household.devices, forKey: .devices)
        try container.encode(log, forKey: .log)
        try container.encode(pastSessions, forKey: .pastSessions)
        try container.encode(focus, forKey: .focus)
        try container.encode(verified, forKey: .verified)
        try container.encode(webhooks, forKey: .webhooks)
    }
}

/// A person's two documents as one, with the seeds' name for the session.
private struct PersonWithSession: Encodable {
    let person: Person

    private enum CodingKeys: String, CodingKey { case activeSession }

    func encode(to encoder: any Encoder) throws {
        try person.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(person.session, forKey: .activeSession)
    }
}

/// A person's two files as MonoFocus had them, under the files' own names.
private struct FocusFiles: Encodable {
    var person: Int64
    var sessions: any Encodable
    var timerState: TimerState

    private enum CodingKeys: String, CodingKey {
        case person
        case sessions = "sessions.json"
        case timerState = "timer-state.json"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(person, forKey: .person)
        try container.encode(sessions, forKey: .sessions)
        try container.encode(timerState, forKey: .timerState)
    }
}

private struct EventDocument: Encodable {
    var kind: LogEntry.Kind
    var person: Int64?
    var device: Int64?
    var instant: Date
    var detail: String
    var subject: String?
    /// In words.
    var by: String?

    init(_ entry: LogEntry) {
        kind = entry.kind
        person = entry.person?.rawValue
        device = entry.device?.rawValue
        instant = entry.instant
        detail = entry.detail
        subject = entry.subject?.rawValue
        by = entry.hand?.words
    }
}

private struct PastSessionDocument: Encodable {
    var id: UUID
    var person: Int64
    var mode: ScheduleMode
    var strictness: StrictnessMode
    var startedAt: Date
    var endsAt: Date
    var night: CivilDate?
    var outcome: PastSession.Outcome
    var endedAt: Date?

    init(_ past: PastSession) {
        id = past.id
        person = past.person.rawValue
        mode = past.mode
        strictness = past.strictness
        startedAt = past.startedAt
        endsAt = past.endsAt
        night = past.night
        outcome = past.outcome
        endedAt = past.endedAt
    }
}
