import Enforcement
import Foundation
import Pages
import Policy
import Shield
import Store

/// The pages of the shield: makes its facts into one of the house's pages.
struct ShieldFace: Sendable {
    let latest: LatestSnapshot
    let renderer: PageRenderer
    let suggestions: SuggestedTasksFile
    let mornings: Mornings

    /// The whole document, as UTF-8.
    func page(_ facts: ShieldContext) -> [UInt8] {
        let style = (latest.value?.household.clock ?? .automatic).style(for: facts.languages)
        return ClockFace.$style.withValue(style) { document(facts) }
    }

    private func document(_ facts: ShieldContext) -> [UInt8] {
        let household = latest.value?.household
        let zone = household.flatMap { TimeZone(identifier: $0.timeZone) } ?? .gmt
        let offersHelp = household?.offersHelp ?? true
        let context = PageContext(
            now: facts.now, zone: zone, offersHelp: offersHelp, assetPrefix: "/.sleep-inducer/assets/",
            eventsPath: "/.sleep-inducer/events", isAnswer: facts.note != nil || facts.doing != nil)
        // A template that is broken while it is edited must not unblock anything: the words alone are a shield too.
        do {
            if let note = facts.note {
                return [UInt8](try renderer.render(Self.page(note, for: facts), in: context).utf8)
            }
            if let doing = facts.doing, let person = facts.verdict.person {
                let task = suggestions.current.tasks.choice(at: doing.shownAt, in: zone, for: person)
                let page = ShieldTimerPage(
                    task: task, timer: doing.timer, done: doing.done, path: facts.path,
                    isTooSoon: doing.isTooSoon, now: facts.now, zone: zone)
                return [UInt8](try renderer.render(page, in: context).utf8)
            }
            let verdict = latest.value?.told(facts.verdict, of: facts.name) ?? facts.verdict
            let page = ShieldPage(
                name: facts.name, verdict: verdict, now: facts.now, zone: zone, offersHelp: offersHelp,
                origin: facts.origin, suggestion: suggestion(facts, zone), forms: Self.forms(facts),
                reason: ReasonField(id: "reason", value: facts.reason, error: facts.reasonError),
                morning: morning(facts), isFamilys: device(facts)?.family != nil)
            return [UInt8](try renderer.render(page, in: context).utf8)
        } catch {
            return [UInt8](Self.words(facts.verdict.block?.layer).utf8)
        }
    }

    /// The same suggestion for five minutes, so that a reload does not change it.
    private func suggestion(_ facts: ShieldContext, _ zone: TimeZone) -> SuggestedTask? {
        guard let person = facts.verdict.person, facts.verdict.limit != nil else { return nil }
        return suggestions.current.tasks.choice(at: facts.now, in: zone, for: person)
    }

    /// Only on a device that an adult with the passcode confirmed as the person's own.
    private func morning(_ facts: ShieldContext) -> Morning? {
        guard let person = facts.verdict.person, let device = device(facts), device.isConfirmed,
            device.person == person
        else { return nil }
        return mornings[person]
    }

    private func device(_ facts: ShieldContext) -> Device? {
        facts.verdict.device.flatMap { latest.value?.household[device: $0] }
    }

    private static func forms(_ facts: ShieldContext) -> ShieldForms? {
        facts.seals.map {
            ShieldForms(
                app: $0.app, expires: $0.expires, path: facts.path, unlock: $0.unlock, done: $0.done,
                ask: $0.ask)
        }
    }

    private static func page(_ note: ShieldNote, for facts: ShieldContext) -> ShieldNotePage {
        let path = facts.path
        let back = ShieldNotePage.Way("Back to the page", to: path)
        return switch note {
        case .left: .left(timer: facts.doing?.start ?? path)
        case .wellDone: .wellDone
        case .staleForm:
            ShieldNotePage(
                "This page is too old", "Nothing was changed. Load it again, then press again.",
                way: .init("Load it again", to: path))
        case .otherSite:
            ShieldNotePage("This came from another site", "Nothing was changed.", way: back)
        case .unreadableForm:
            ShieldNotePage("This could not be read", "Nothing was changed.", way: back)
        case .tooManyPresses:
            ShieldNotePage("One thing at a time", "Wait ten seconds, then press again.", way: back)
        case .refused(let reason): ShieldNotePage("Not now", reason, way: back)
        case .unsaved:
            ShieldNotePage(
                "This was not saved", "The disk does not accept changes. Try again later.", way: back)
        }
    }

    private static func words(_ layer: Layer?) -> String {
        switch layer {
        case .sleep: "Sleep Mode Active"
        case .windows: "Anti-Rot. This app is blocked right now."
        case .limits: "Stop Scrolling"
        case .focus: "Focus"
        case nil: "This is open again. Try once more."
        }
    }
}
