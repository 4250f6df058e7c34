// The JSON of the contract's `schedule` object: times as HH:MM, weekdays from Monday on.

extension RecurringSchedule: Codable {
    private enum CodingKeys: String, CodingKey { case isEnabled, start, end, strictness, days, exceptions }

    /// A missing `days` means every day; missing `exceptions` means none.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            isEnabled: try container.decode(Bool.self, forKey: .isEnabled),
            start: try container.decode(TimeOfDay.self, forKey: .start),
            end: try container.decode(TimeOfDay.self, forKey: .end),
            strictness: try container.decode(StrictnessMode.self, forKey: .strictness),
            days: try container.decodeIfPresent(Set<Weekday>.self, forKey: .days)
                ?? Set(Weekday.allCases),
            exceptions: try container.decodeIfPresent([ScheduleException].self, forKey: .exceptions) ?? [])
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isEnabled, forKey: .isEnabled)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(strictness, forKey: .strictness)
        try container.encode(days.sorted(), forKey: .days)
        try container.encode(exceptions, forKey: .exceptions)
    }
}

extension ScheduleException: Codable {
    private enum CodingKeys: String, CodingKey { case days, start, end }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            days: try container.decode(Set<Weekday>.self, forKey: .days),
            start: try container.decode(TimeOfDay.self, forKey: .start),
            end: try container.decode(TimeOfDay.self, forKey: .end))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(days.sorted(), forKey: .days)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
    }
}
