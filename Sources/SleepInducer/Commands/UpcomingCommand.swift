import ArgumentParser
import Foundation
import Policy
import Store

/// `sleep-inducer upcoming`: the nights to come, also when the clocks change.
struct UpcomingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upcoming",
        abstract: "List the next nights, from the household or from the times given here."
    )

    @OptionGroup var place: DataPlace
    @Option(
        help: ArgumentHelp("Bedtime. With --wake and --zone it replaces the household's.", valueName: "hh:mm")
    )
    var bedtime: TimeOfDay?
    @Option(help: ArgumentHelp("When the night ends.", valueName: "hh:mm"))
    var wake: TimeOfDay?
    @Option(help: ArgumentHelp("Weekdays of the bedtime. Default: every day.", valueName: "mon,tue,…"))
    var days: String?
    @Option(help: ArgumentHelp("IANA time zone.", valueName: "zone"))
    var zone: String?
    @Option(help: ArgumentHelp("From this instant on. Default: now.", valueName: "iso8601"))
    var from: Instant?
    @Option(help: "How many nights.")
    var count = 7
    @Flag(help: "As a JSON array.")
    var json = false

    func validate() throws {
        guard (1...3660).contains(count) else { throw ValidationError("--count must be from 1 to 3660.") }
        guard (bedtime == nil) == (wake == nil) else {
            throw ValidationError("Use --bedtime and --wake together.")
        }
        if bedtime != nil, zone == nil {
            throw ValidationError("--bedtime needs --zone, such as Europe/Berlin.")
        }
        if let bedtime, bedtime == wake { throw ValidationError("--bedtime and --wake are the same time.") }
        if let zone, CivilZone(zone) == nil { throw ValidationError("\(zone) is not a time zone.") }
    }

    func run() throws {
        let (plan, zone) = try plan()
        let nights = plan?.upcoming(from: from?.date ?? MachineClock.instant(), count: count) ?? []
        if json {
            let objects = nights.map {
                ["start": $0.start.formatted(.iso8601), "end": $0.end.formatted(.iso8601)]
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            print(String(decoding: try encoder.encode(objects), as: UTF8.self))
        } else {
            if let focus = try focus() { print(focus) }
            if nights.isEmpty { print("No night is planned.") }
            for night in nights {
                let hours = (night.end.timeIntervalSince(night.start) / 360).rounded() / 10
                print(
                    "\(night.date) \(zone.time(of: night.start)) to \(zone.time(of: night.end)), \(hours) h")
            }
        }
    }

    private func plan() throws -> (Nights?, CivilZone) {
        if let bedtime, let wake, let zone = zone.flatMap(CivilZone.init) {
            let schedule = RecurringSchedule(
                isEnabled: true, start: bedtime, end: wake, strictness: .flexible, days: try weekdays())
            return (Nights(schedule, in: zone), zone)
        }
        let household = try place.householdToRead().household
        guard let zone = CivilZone(zone ?? household.timeZone) else {
            throw ValidationError("\(household.timeZone) is not a time zone.")
        }
        return (household.members.first?.nights(in: zone), zone)
    }

    /// A sentence about the running focus session, if it blocks apps; nil: it does not, or times were given here.
    private func focus() throws -> String? {
        guard bedtime == nil else { return nil }
        let now = from?.date ?? MachineClock.instant()
        var household = try place.householdToRead().household
        _ = household.settle(at: now, newID: UUID.init)
        let zone = zone.flatMap(CivilZone.init) ?? household.zone
        guard let person = household.members.first,
            let until = household.evaluate(at: now)[person.id]?.blocks.first(where: { $0.layer == .focus })?
                .until
        else { return nil }
        return
            "Focusing until \(zone.date(of: until)) \(zone.time(of: until)): the restricted apps are blocked."
    }

    private func weekdays() throws -> Set<Weekday> {
        guard let days else { return Set(Weekday.allCases) }
        guard !days.isEmpty else { throw ValidationError("--days needs one weekday or more.") }
        return Set(
            try days.split(separator: ",", omittingEmptySubsequences: false).map { word in
                guard let day = Weekday(rawValue: String(word)) else {
                    throw ValidationError("\(word) is not a weekday. Use mon, tue, wed, thu, fri, sat, sun.")
                }
                return day
            })
    }
}

extension TimeOfDay: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
