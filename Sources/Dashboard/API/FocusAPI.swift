import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// The focus timer, for programs.
struct FocusAPI: Sendable {
    let desk: Desk

    /// The timer, as `state` has it.
    func focus(_ request: Request, _ visit: Visit) throws -> Response {
        try focus(of: try desk.asker(request, visit).person.id)
    }

    /// Starts the timer. With `minutes`, it takes that length and first saves a paused session. Answers 409
    /// while the timer runs.
    func startFocus(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let minutes = body.contains("minutes") ? body.int("minutes") : nil
        let person = try desk.person(request, visit, &body)
        try body.finish()
        try desk.command { household, _, now in
            try household.startFocus(person, minutes: minutes, session: UUID(), at: now)
        }
        return try focus(of: person, status: .created)
    }

    func pauseFocus(_ request: Request, _ visit: Visit) async throws -> Response {
        try await move(.pause, request, visit)
    }

    func resumeFocus(_ request: Request, _ visit: Visit) async throws -> Response {
        try await move(.resume, request, visit)
    }

    /// `{"save":false}` discards the session; else the history keeps it.
    func stopFocus(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let save = body.contains("save") ? body.bool("save") : true
        return try await move(.stop(save: save ?? true), request, visit, &body)
    }

    /// The history in pages, newest first: `limit` up to 200; `cursor` is the `next` of the page before.
    func focusSessions(_ request: Request, _ visit: Visit) throws -> Response {
        let person = try desk.asker(request, visit).person.id
        let query = request.uri.queryParameters
        let limit = query["limit"].map { FormReading.wholeNumber(String($0)) } ?? 50
        guard let limit, (1...Self.mostSessions).contains(limit) else {
            throw Problem(
                .invalidInput, errors: ["limit": "A whole number from 1 to \(Self.mostSessions)."])
        }
        let cursor = try query["cursor"].map { text in
            guard let cursor = FocusCursor(text) else {
                throw Problem(.invalidInput, errors: ["cursor": "Send the value of next from the last page."])
            }
            return cursor
        }
        let sessions = try desk.store.focusSessions(of: person, after: cursor, limit: limit + 1)
        let page = sessions.prefix(limit)
        let next = sessions.count > limit ? page.last.map(FocusCursor.init) : nil
        return .json(
            .object([
                ("sessions", .array(page.map(Self.focusSession))),
                ("next", next.map { .string($0.text) } ?? .null),
            ]))
    }

    static let mostSessions = 200

    private func move(
        _ move: FocusTimer.Move, _ request: Request, _ visit: Visit
    ) async throws -> Response {
        var body = try await JSONBody(request)
        return try await self.move(move, request, visit, &body)
    }

    /// Pausing and stopping can lift a block, so they do not wait for the disk.
    private func move(
        _ move: FocusTimer.Move, _ request: Request, _ visit: Visit, _ body: inout JSONBody
    ) async throws -> Response {
        let person = try desk.person(request, visit, &body)
        try body.finish()
        try desk.command(keeping: .evenInMemory) { household, _, now in
            try household.moveFocus(person, move, at: now)
        }
        return try focus(of: person)
    }

    private func focus(of id: PersonID, status: HTTPResponse.Status = .ok) throws -> Response {
        let now = desk.clock.now()
        guard let person = desk.household(at: now)[person: id] else { throw Problem(Refusal.unknownPerson) }
        return .json(
            FocusState.json(of: person, at: now, last: desk.store.latestFocusSession(of: id)), status: status)
    }

    private static func focusSession(_ session: FocusSession) -> JSONValue {
        .object([
            ("id", .string(session.id.uuidString)), ("start", .instant(session.start)),
            ("end", .instant(session.end)), ("durationSeconds", .int(session.durationSeconds)),
            ("presetLabel", session.presetLabel.map { .string($0) } ?? .null),
            ("completed", .bool(session.completed)),
        ])
    }
}
