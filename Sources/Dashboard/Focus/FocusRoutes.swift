import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/focus`: the timer, its moves and its length.
struct FocusRoutes: Sendable {
    let desk: Desk

    /// The timer; also without a login for the asking device's own person.
    func focusPage(_ request: Request, _ visit: Visit) throws -> Response {
        try focus(try desk.asker(request, visit))
    }

    /// Sets the length and starts nothing. This ends a paused session: without `save`, the page asks
    /// whether to keep it.
    func setFocusLength(_ request: Request, _ visit: Visit) async throws -> Response {
        try await focusMove(request, visit, fields: ["minutes", "save"]) { fields in
            let minutes = try FocusForm.minutes(fields)
            let saves = try FocusForm.saves(fields)
            return { household, person, now in
                if saves == nil, household[person: person]?.focus.timer.isPaused == true,
                    let preset = Preset(minutes: minutes)
                {
                    throw FocusQuestion(preset: preset)
                }
                try household.setFocusLength(person, minutes: minutes, save: saves ?? true, at: now)
            }
        }
    }

    /// Starts with the set length, or with `minutes` as deep links do; a running timer does not change.
    func startFocus(_ request: Request, _ visit: Visit) async throws -> Response {
        try await focusMove(request, visit, fields: ["minutes"]) { fields in
            let minutes = fields.contains("minutes") ? try FocusForm.minutes(fields) : nil
            return { household, person, now in
                try household.startFocus(person, minutes: minutes, session: UUID(), at: now)
            }
        }
    }

    func pauseFocus(_ request: Request, _ visit: Visit) async throws -> Response {
        try await focusMove(request, visit, keeping: .evenInMemory) { _ in
            { try $0.moveFocus($1, .pause, at: $2) }
        }
    }

    func resumeFocus(_ request: Request, _ visit: Visit) async throws -> Response {
        try await focusMove(request, visit, keeping: .evenInMemory) { _ in
            { try $0.moveFocus($1, .resume, at: $2) }
        }
    }

    /// "Stop" saves the session; `save=false` discards it.
    func stopFocus(_ request: Request, _ visit: Visit) async throws -> Response {
        try await focusMove(request, visit, fields: ["save"], keeping: .evenInMemory) { fields in
            let saves = try FocusForm.saves(fields) ?? true
            return { try $0.moveFocus($1, .stop(save: saves), at: $2) }
        }
    }

    private typealias FocusRule = (inout Household, PersonID, Date) throws -> Void

    /// One move of the timer, as one transaction. An illegal move redirects and changes nothing; a bad length
    /// comes back with the reason. Pausing and stopping can lift a block, so they pass `.evenInMemory` and do not wait
    /// for the disk.
    private func focusMove(
        _ request: Request, _ visit: Visit, fields known: [String] = [], keeping: Keeping = .onDisk,
        _ rule: (FormFields) throws -> FocusRule
    ) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        do {
            var reading = FormReading(fields)
            for name in known { _ = reading.optional(name) }
            try reading.finish()
            let change = try rule(fields)
            try desk.command(keeping: keeping) { household, _, now in
                try change(&household, asker.person.id, now)
            }
        } catch let question as FocusQuestion {
            return try focus(asker, asking: question.preset)
        } catch let refusal as Refusal where !refusal.isAboutInput {
            return desk.back(to: "/focus", for: asker)
        } catch let refusal as Refusal {
            return try refusedFocus(asker, fields, FormRejected(["minutes": refusal.message]))
        } catch let rejected as FormRejected {
            return try refusedFocus(asker, fields, rejected)
        }
        return desk.back(to: "/focus", for: asker)
    }

    func refusedFocus(_ asker: Asker, _ fields: FormFields, _ rejected: FormRejected) throws -> Response {
        let typed = ["minutes", "dnd", "grayscale"].reduce(into: [:]) { $0[$1] = fields.first($1) }
        return try focus(
            asker, refused: .init(typed: typed, errors: rejected.forPage), notices: rejected.notices)
    }

    func focus(
        _ asker: Asker, refused: FocusPage.Refused? = nil, asking preset: Preset? = nil,
        notices: [PageContext.Notice] = []
    ) throws -> Response {
        let zone = asker.household.zone
        let today = zone.date(of: asker.now)
        let sessions = try desk.store.focusSessions(
            of: asker.person.id, from: zone.dayStart(today), to: zone.dayStart(today.adding(days: 1)))
        // A session that ended this moment may not be written yet.
        let latest =
            asker.person.focus.finished.max { $0.end < $1.end }
            ?? desk.store.latestFocusSession(of: asker.person.id)
        let shown = FocusPage(
            asker.person, latest: latest,
            today: FocusTotals.days(sessions, upTo: today, count: 1, in: zone).last,
            now: asker.now, zone: asker.zone, refused: refused, asking: preset)
        let status: HTTPResponse.Status = refused == nil ? .ok : .unprocessableContent
        return try desk.page(shown, for: asker, status: status, notices: notices)
    }
}

/// Thrown if a new length would end a paused session and the form does not say whether to keep it.
private struct FocusQuestion: Error {
    let preset: Preset
}

/// The fields of the timer's forms.
private enum FocusForm {
    static func minutes(_ fields: FormFields) throws(FormRejected) -> Int {
        guard let text = fields.first("minutes"), let minutes = FormReading.wholeNumber(text) else {
            throw FormRejected(["minutes": Refusal.focusLengthOutOfRange.message])
        }
        return minutes
    }

    /// Nil if the form does not say.
    static func saves(_ fields: FormFields) throws(FormRejected) -> Bool? {
        switch fields.first("save") {
        case nil: nil
        case "true": true
        case "false": false
        default: throw FormRejected(["": "The session is kept or discarded: save is true or false."])
        }
    }
}
