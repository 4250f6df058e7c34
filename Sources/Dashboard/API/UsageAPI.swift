import Foundation
import HTTPTypes
import Hummingbird
import Policy

/// A day of use, for programs.
struct UsageAPI: Sendable {
    let desk: Desk

    /// A day of a person's use, `?date=YYYY-MM-DD`, today without one. An adult's is shown only where pages show it.
    func usage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        guard asker.seesUsage else {
            throw Problem(.forbidden, "Only that adult's own devices can see an adult's usage.")
        }
        let today = asker.household.zone.date(of: asker.now)
        let wanted = request.uri.queryParameters["date"].map(String.init)
        let words = ["date": "A day of the last four weeks, as YYYY-MM-DD."]
        guard let date = wanted.map(CivilDate.init) ?? today else {
            throw Problem(.invalidInput, errors: words)
        }
        guard UsageRoutes.usageDays(until: today).contains(date) else {
            throw Problem(.dateOutOfRange, errors: words)
        }
        let report = try UsageRoutes(desk: desk).usageReport(
            of: asker, on: date, app: nil, today: today,
            in: desk.catalog.adding(asker.household.ownApps))
        return .json(Self.usage(report, of: asker.person.id))
    }

    private static func usage(_ report: UsageReport, of person: PersonID) -> JSONValue {
        .object([
            ("person", .int(Int(person.rawValue))), ("date", .string(report.date.description)),
            ("minutes", .int(report.day.minutes)), ("attempts", .int(report.day.attempts)),
            ("hours", .array(report.hours.map { .int($0) })),
            (
                "apps",
                .array(
                    report.apps.map { use in
                        .object([
                            ("app", .string(use.app)), ("name", .string(use.name)),
                            ("minutes", .int(use.minutes)), ("attempts", .int(use.attempts)),
                            ("source", .string(use.source.name)),
                        ])
                    })
            ),
        ])
    }
}
