import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// Anti-Rot's windows, for programs.
struct WindowsAPI: Sendable {
    let desk: Desk

    func windows(_ request: Request, _ visit: Visit) throws -> Response {
        try windows(of: try desk.asker(request, visit).person.id)
    }

    /// Takes the object that GET answers. An empty list needs `"confirm": true`, because it blocks all day.
    func saveWindows(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let person = try desk.asker(request, visit).person.id
        body.ignore("waiting")
        let isConfirmed = body.contains("confirm") ? body.bool("confirm") : false
        if !body.contains("windows") { body.refuse("windows", "This must be a list of objects.") }
        let windows = body.objects("windows") { $0.window() }
        try body.finish()
        try desk.command { household, log, now in
            try household.saveWindows(
                person, windows, confirmed: isConfirmed == true, change: UUID(), at: now)
            log.note(.ruleChanged, person, at: now, "Anti-Rot: windows")
        }
        return try self.windows(of: person)
    }

    /// The sets besides the first.
    func windowSets(_ request: Request, _ visit: Visit) throws -> Response {
        try windowSets(of: try desk.asker(request, visit).person.id)
    }

    /// Takes the object that GET answers, whole: a set that is not in it is removed.
    func saveWindowSets(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let person = try desk.asker(request, visit).person.id
        body.ignore("waiting")
        let isConfirmed = body.contains("confirm") ? body.bool("confirm") : false
        if !body.contains("sets") { body.refuse("sets", "This must be a list of objects.") }
        let sets = body.objects("sets") { $0.windowSet() }
        if Set(sets.map(\.id)).count < sets.count {
            body.refuse("sets", "Each set must have an id of its own.")
        }
        try body.finish()
        try desk.command { household, log, now in
            try household.saveWindowSets(
                person, sets, confirmed: isConfirmed == true, catalog: desk.catalog, newID: UUID.init, at: now
            )
            log.note(.ruleChanged, person, at: now, "Anti-Rot: sets of windows")
        }
        return try windowSets(of: person)
    }

    private func windowSets(of id: PersonID) throws -> Response {
        guard let person = desk.household(at: desk.clock.now())[person: id] else {
            throw Problem(Refusal.unknownPerson)
        }
        let waiting = person.pending.filter { $0.change.windowSet != nil }
        return .json(
            .object([
                ("sets", .array(person.antiRot.otherSets.map(Self.set))),
                ("waiting", .array(waiting.map(LimitsJSON.waiting))),
            ]))
    }

    private static func set(_ set: WindowSet) -> JSONValue {
        .object([
            ("id", .string(set.id?.uuidString ?? "")), ("name", .string(set.name)),
            ("apps", .strings(set.chosen.apps.sorted())),
            ("categories", .strings(set.chosen.categories.sorted())),
            ("windows", set.windows.map { .array($0.map(window)) } ?? .null),
        ])
    }

    /// "I'm Eating": once a calendar day.
    func startOverride(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let person = try desk.person(request, visit, &body)
        try body.finish()
        try desk.command { household, log, now in
            try household.activateOverride(person, at: now)
            log.note(.overrideUsed, person, at: now)
        }
        return try desk.state(of: person, for: try desk.asker(request, visit), status: .created)
    }

    /// `windows` is null until a schedule is saved: then nothing is blocked.
    private func windows(of id: PersonID) throws -> Response {
        guard let person = desk.household(at: desk.clock.now())[person: id] else {
            throw Problem(Refusal.unknownPerson)
        }
        let windows = person.antiRot.windows.map { JSONValue.array($0.map(Self.window)) }
        let waiting = person.pending.filter { $0.change.subject == .windows(in: nil) }
        return .json(
            .object([
                ("windows", windows ?? .null), ("waiting", .array(waiting.map(LimitsJSON.waiting))),
            ]))
    }

    private static func window(_ window: TimeWindow) -> JSONValue {
        let days = Weekday.allCases.filter(window.days.contains)
        return .object([
            ("id", .string(window.id.uuidString)), ("label", .string(window.label)),
            ("start", .string(window.start.description)), ("end", .string(window.end.description)),
            ("days", .strings(days.map(\.rawValue))),
        ])
    }
}

extension JSONBody {
    /// A set. With an `id` it keeps that id; without `windows` it blocks nothing yet.
    fileprivate mutating func windowSet() -> WindowSet? {
        let id = contains("id") ? string("id") : UUID().uuidString
        let name = string("name", 1...CleanName.maximum)
        let apps = contains("apps") ? strings("apps") : []
        let categories = contains("categories") ? strings("categories") : []
        var windows: [TimeWindow]?
        if contains("windows"), !isNull("windows") { windows = objects("windows") { $0.window() } }
        ignore("windows")
        guard let id, let name, let apps, let categories else { return nil }
        guard let id = UUID(uuidString: id) else {
            refuse("id", "This must be a UUID.")
            return nil
        }
        let chosen = AppSelection(apps: Set(apps), categories: Set(categories))
        return WindowSet(id: id, name: name, restricted: chosen, windows: windows)
    }

    /// A window. With an `id` it keeps that id; without `days` it opens every day.
    fileprivate mutating func window() -> TimeWindow? {
        let id = contains("id") ? string("id") : UUID().uuidString
        let label = contains("label") ? string("label", 0...TimeWindow.maximumLabel) : ""
        let (start, end) = (time("start"), time("end"))
        let days = contains("days") ? weekdays("days") : Set(Weekday.allCases)
        guard let id, let label, let start, let end, let days else { return nil }
        guard let id = UUID(uuidString: id) else {
            refuse("id", "This must be a UUID.")
            return nil
        }
        return TimeWindow(id: id, label: label, start: start, end: end, days: days)
    }
}
