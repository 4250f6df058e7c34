import Foundation
import Pages
import Policy

/// What a person can ask the adults for, and the answers: POST `/my-rules/ask` with `what` of `later`, `skip`, `app`
/// (with `app`) or `minutes` (with `limit`), each with a `reason` if one was typed.
struct Asking: Sendable {
    /// Questions and their answers, newest first.
    let asked: [Asked]
    let offersLater: Bool
    let offersSkip: Bool
    let offersTonight: Bool
    /// Limits that are reached and can get more minutes.
    let limits: [Limit]
    let apps: [Choice]
    let tonightReason: ReasonField
    let appReason: ReasonField
    let offersApps: Bool
    let error: String?

    /// A limit that can get more minutes.
    struct Limit: Sendable {
        let value: String
        let label: String
        let reason: ReasonField
    }

    struct Asked: Sendable {
        /// The limit that it is about; nil for a wish.
        let target: LimitTarget?
        let text: String
        let isOpen: Bool
        let isDeclined: Bool
    }

    /// Nil if there is no other adult who could answer.
    init?(
        _ person: Person, in household: Household, catalog: Catalog, usage: UsageTotals, draft: AskDraft,
        _ clock: ClockFace, _ now: Date
    ) {
        guard household.canAsk(person.id) else { return nil }
        let wishes = person.wishes(at: now)
        let requests = person.requests(at: now, in: household.zone)
        func takes(_ form: WishForm) -> Bool {
            var household = household
            let open = wishes.contains {
                $0.answer == .open && ($0.what.night == nil) == form.isAboutApp
            }
            guard !open else { return false }
            let asked = try? household.ask(
                person.id, for: form, device: nil, wish: UUID(), catalog: catalog, at: now)
            return asked != nil
        }
        offersLater = takes(.later)
        offersSkip = takes(.skip)
        offersTonight = offersLater || offersSkip
        let known = Set(requests.filter { $0.answer != .granted }.map(\.target))
        limits = person.limitStates(at: now, in: household.zone, usage: usage).filter {
            $0.isReached && !known.contains($0.limit.target)
        }
        .map { state in
            let id = state.limit.id.uuidString
            return Limit(value: id, label: state.limit.target.name(in: catalog), reason: draft.field(id))
        }
        let all = catalog.apps.filter {
            !person.allowed.apps.contains($0.id) && !person.allowed.categories.contains($0.category)
        }
        let isOpen = wishes.contains { $0.answer == .open && $0.what.night == nil }
        offersApps = !isOpen && !all.isEmpty && wishes.count < Wish.most
        apps =
            !offersApps
            ? []
            : all.map { Choice($0.id, $0.name, isSelected: $0.id == draft.app) }
                .sorted { $0.label.lowercased() < $1.label.lowercased() }
        tonightReason = draft.field("later", "skip")
        appReason = draft.field("app")
        error = draft.isAboutReason ? nil : draft.error
        asked = Self.asked(wishes, requests, catalog, clock)
    }

    private static func asked(
        _ wishes: [Wish], _ requests: [TimeRequest], _ catalog: Catalog, _ clock: ClockFace
    ) -> [Asked] {
        let wishes = wishes.map {
            (LimitTarget?.none, $0.askedAt, $0.what.words(in: catalog), $0.reason, $0.answer, $0.answeredAt)
        }
        let minutes = requests.map {
            (
                LimitTarget?.some($0.target), $0.askedAt,
                "\(TimeRequest.minutes) more minutes of \($0.target.name(in: catalog))",
                $0.reason, $0.answer, $0.answeredAt
            )
        }
        return (wishes + minutes).sorted { $0.1 > $1.1 }.map { target, at, what, reason, answer, answeredAt in
            let text =
                switch answer {
                case .open:
                    "You asked at \(clock.time(at)): \(what).\(reason.map { " “\($0)”" } ?? "") There is no answer yet."
                case .granted: "Yes: \(what), answered at \(clock.time(answeredAt ?? at))."
                case .declined:
                    "Not this time: \(what), answered at \(clock.time(answeredAt ?? at)). You can still talk about it."
                }
            return Asked(
                target: target, text: text, isOpen: answer == .open, isDeclined: answer == .declined)
        }
    }
}

extension WishForm {
    fileprivate var isAboutApp: Bool {
        if case .app = self { true } else { false }
    }
}
