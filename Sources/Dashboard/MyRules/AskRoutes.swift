import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

extension MyRulesRoutes {
    /// Asks the adults who have the passcode, from the person's own device and without a login.
    func ask(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let what = reading.choice("what", as: Asked.self, "Choose what to ask for.")
        let app = reading.optional("app")
        let limit = reading.optional("limit").flatMap { UUID(uuidString: $0) }
        let reason = reading.optional("reason")
        let from = reading.optional("from")
        let place = ["home": "/", "limits": "/limits"][from ?? ""] ?? "/my-rules"
        if what == .app, app?.isEmpty != false { reading.refuse("app", "Choose an app.") }
        if what == .minutes, limit == nil { reading.refuse("limit", "Choose a limit.") }
        var draft = AskDraft(
            app: app, reason: reason, place: what == .minutes ? limit?.uuidString : what?.rawValue)
        do { try reading.finish() } catch {
            draft.error = error.reasons.values.sorted().first ?? ""
            return try refused(asker, draft, from, .unprocessableContent)
        }
        guard let device = asker.ownDevice, let what else { throw Refusal.askOnOwnDevice }
        do {
            try ask(what, app, limit, reason, for: asker.person, on: device)
        } catch let refusal as Refusal {
            (draft.error, draft.isAboutReason) = (refusal.message, refusal == .reasonTooLong)
            return try refused(
                desk.asker(request, visit, fields), draft, from,
                refusal.isAboutInput ? .unprocessableContent : .conflict)
        }
        return desk.back(to: place, for: asker, done: .asked)
    }

    /// The page with the form that was refused.
    private func refused(
        _ asker: Asker, _ draft: AskDraft, _ from: String?, _ status: HTTPResponse.Status
    ) throws -> Response {
        from == "home" && asker.isChildAtHome
            ? try myHome(asker, draft: draft, status: status)
            : try myRules(asker, draft: draft, status: status)
    }

    private func ask(
        _ question: Asked, _ app: String?, _ limit: UUID?, _ reason: String?, for person: Person,
        on device: Device
    ) throws {
        try desk.command { household, log, now in
            let catalog = desk.wholeCatalog(household)
            if question == .minutes {
                guard let limit = person.limits.list.first(where: { $0.id == limit }) else {
                    throw Refusal.unknownLimit
                }
                let id = UUID()
                let asked = try household.askForTime(
                    person.id, target: limit.target, reason: reason, device: device.id, request: id,
                    catalog: catalog, usage: desk.feed.snapshot.usage, at: now)
                if asked.id == id {
                    log.note(.timeAsked, person.id, device.id, at: now, asked.target.name(in: catalog))
                }
                return
            }
            let form: WishForm =
                switch question {
                case .later: .later
                case .skip: .skip
                default: .app(app ?? "")
                }
            let id = UUID()
            let asked = try household.ask(
                person.id, for: form, reason: reason, device: device.id, wish: id, catalog: catalog, at: now)
            if asked.id == id {
                log.note(.wishAsked, person.id, device.id, at: now, asked.what.words(in: catalog))
            }
        }
    }

    private enum Asked: String { case later, skip, app, minutes }
}
