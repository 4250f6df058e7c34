import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// The log, for programs.
struct LogAPI: Sendable {
    let desk: Desk

    /// The most lines in one answer.
    static let mostLogLines = 500

    /// What was changed and done and by whom, newest first, as "My rules" shows it: a person's own lines and the
    /// household's rules. `limit` up to 500; `before` is the `next` of the page before.
    ///
    /// If the asker may not see the adult's own lines, only the latest change of each rule is in the answer.
    func log(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let limit = try Self.number("limit", of: request, in: 1...Self.mostLogLines) ?? 50
        let before = try Self.number("before", of: request, in: 1...999_999_999).map(Int64.init)
        let isWhole = asker.seesUsage
        let own =
            isWhole
            ? try desk.store.log(
                of: asker.person.id, kinds: ChangeRow.kinds, before: before, limit: limit + 1)
            : try desk.store.latestChanges(of: asker.person.id).values.filter { $0.id < before ?? .max }
        let homes = try desk.store.log(of: nil, kinds: [.ruleChanged], before: before, limit: limit + 1)
        let entries = (own + homes).sorted { $0.id > $1.id }
        let page = entries.prefix(limit)
        return .json(
            .object([
                ("entries", .array(page.map { Self.line($0, for: asker) })),
                ("next", entries.count > limit ? page.last.map { .int(Int($0.id)) } ?? .null : .null),
                ("isWhole", .bool(isWhole)),
            ]))
    }

    private static func number(
        _ name: String, of request: Request, in range: ClosedRange<Int>
    ) throws -> Int? {
        guard let text = request.uri.queryParameters[name[...]] else { return nil }
        guard let number = FormReading.wholeNumber(String(text)), range.contains(number) else {
            throw Problem(
                .invalidInput,
                errors: [name: "A whole number from \(range.lowerBound) to \(range.upperBound)."])
        }
        return number
    }

    private static func line(_ entry: LogEntry, for asker: Asker) -> JSONValue {
        let row = ChangeRow(entry, in: asker.household, ClockFace(zone: asker.zone), asker.now)
        let by = entry.byWords.isEmpty ? nil : String(entry.byWords.dropFirst(2))
        return .object([
            ("id", .int(Int(entry.id))), ("at", .instant(entry.instant)),
            ("person", entry.person.map { .int(Int($0.rawValue)) } ?? .null),
            ("kind", .string(entry.kind.rawValue)),
            ("subject", entry.subject.map { .string($0.rawValue) } ?? .null),
            ("what", .string(row.what)),
            ("device", entry.device.map { .int(Int($0.rawValue)) } ?? .null),
            (
                "by",
                by.map {
                    .object([("kind", .string(entry.hand?.kind.rawValue ?? "wait")), ("words", .string($0))])
                } ?? .null
            ),
        ])
    }
}
