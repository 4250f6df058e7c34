import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// Schedule, selections and the catalog, for programs.
struct RulesAPI: Sendable {
    let desk: Desk

    func schedule(_ request: Request, _ visit: Visit) throws -> Response {
        try schedule(of: try desk.asker(request, visit).person.id)
    }

    /// Takes the object that GET answers; ignores `nextStart`.
    func saveSchedule(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let person = try desk.asker(request, visit).person.id
        body.ignore("nextStart")
        let isEnabled = body.bool("isEnabled")
        let start = body.time("start")
        let end = body.time("end")
        let strictness = body.choice("strictness", of: StrictnessMode.allCases)
        let days = body.contains("days") ? body.weekdays("days") : Set(Weekday.allCases)
        let exceptions = body.objects("exceptions") { body -> ScheduleException? in
            guard let days = body.weekdays("days"), let start = body.time("start"), let end = body.time("end")
            else { return nil }
            return ScheduleException(days: days, start: start, end: end)
        }
        try body.finish()
        guard let isEnabled, let start, let end, let strictness, let days else {
            throw Problem(.invalidInput)
        }
        let saved = RecurringSchedule(
            isEnabled: isEnabled, start: start, end: end, strictness: strictness, days: days,
            exceptions: exceptions)
        try desk.saveSchedules([(person: person, schedule: saved)])
        return try schedule(of: person)
    }

    func selection(_ request: Request, _ visit: Visit) throws -> Response {
        let use = try Self.use(visit)
        return Self.selection(try desk.asker(request, visit).person, use)
    }

    func saveSelection(_ request: Request, _ visit: Visit) async throws -> Response {
        let use = try Self.use(visit)
        var body = try await JSONBody(request)
        let person = try desk.asker(request, visit).person.id
        let apps = body.strings("apps")
        let categories = body.strings("categories")
        let domains = body.strings("domains")
        try body.finish()
        let selection = AppSelection(
            apps: Set(apps ?? []), categories: Set(categories ?? []), domains: Set(domains ?? []))
        try desk.command { household, log, now in
            switch use {
            case .allowed: try household.saveAllowed(person, selection, catalog: desk.catalog)
            case .productive: try household.saveProductive(person, selection, catalog: desk.catalog)
            case .restricted:
                guard selection.categories.isEmpty, selection.domains.isEmpty else { throw Refusal.appsOnly }
                try household.saveRestricted(
                    person, selection.apps, catalog: desk.catalog, change: UUID(), at: now)
            }
            log.note(.ruleChanged, person, at: now, use.words)
        }
        guard let saved = desk.household(at: desk.clock.now())[person: person] else {
            throw Problem(Refusal.unknownPerson)
        }
        return Self.selection(saved, use)
    }

    func catalog(_ request: Request, _ visit: Visit) throws -> Response {
        let snapshot = desk.present(at: desk.clock.now())
        let (household, catalog) = (snapshot.household, snapshot.catalog)
        return .json(
            .object([
                (
                    "categories",
                    .array(
                        catalog.categories.map {
                            .object([("id", .string($0.id)), ("name", .string($0.name))])
                        })
                ),
                (
                    "apps",
                    .array(
                        catalog.apps.map {
                            .object([
                                ("id", .string($0.id)), ("name", .string($0.name)),
                                ("category", .string($0.category)), ("domains", .strings($0.suffixes)),
                            ])
                        })
                ),
                (
                    "alwaysReachable",
                    .array(
                        catalog.alwaysReachable.map {
                            .object([
                                ("id", .string($0.id)), ("name", .string($0.name)),
                                ("reason", .string($0.reason)), ("isOptional", .bool($0.isOptional)),
                                ("isOn", .bool(!$0.isOptional || !household.unreachable.contains($0.id))),
                                ("domains", .strings($0.suffixes + $0.hosts)),
                            ])
                        })
                ),
            ]))
    }

    private func schedule(of id: PersonID) throws -> Response {
        let snapshot = desk.present(at: desk.clock.now())
        guard let person = snapshot.household[person: id] else { throw Problem(Refusal.unknownPerson) }
        return .json(StateText.schedule(of: person, nextStart: snapshot.verdicts[id]?.nextStart))
    }

    /// One of a person's selections.
    private enum SelectionUse: String {
        case allowed, restricted, productive

        /// For the log.
        var words: String {
            switch self {
            case .allowed: "Allowed apps"
            case .restricted: "Anti-Rot: apps"
            case .productive: "Verified minutes: productive apps"
            }
        }
    }

    private static func selection(_ person: Person, _ use: SelectionUse) -> Response {
        let selection =
            switch use {
            case .allowed: person.allowed
            case .restricted: person.antiRot.restricted ?? AppSelection()
            case .productive: person.verified.productive ?? AppSelection()
            }
        return .json(
            .object([
                ("apps", .strings(selection.apps.sorted())),
                ("categories", .strings(selection.categories.sorted())),
                ("domains", .strings(selection.domains.sorted())),
            ]))
    }

    private static func use(_ visit: Visit) throws -> SelectionUse {
        guard let use = visit.parameters.get("use").flatMap(SelectionUse.init) else {
            throw Problem(.notFound)
        }
        return use
    }
}

extension JSONValue {
    static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
}

extension JSONBody {
    mutating func weekdays(_ name: String) -> Set<Weekday>? {
        guard let texts = strings(name) else { return nil }
        let days = texts.compactMap(Weekday.init)
        if days.count < texts.count { refuse(name, "This must be a list of mon to sun.") }
        return Set(days)
    }
}
