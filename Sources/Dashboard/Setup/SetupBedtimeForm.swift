import Pages
package import Policy

/// The posted bedtimes: `on-1`, `start-1` and `end-1` for the person 1 and so on. `then` names the person whose apps come
/// next; without it, the form leads to the next step. `begin` is the answer to "Start now or from tomorrow?".
package struct SetupBedtimeForm {
    struct Row {
        let id: PersonID
        let isOn: Bool
        let start: String
        let end: String
    }

    let rows: [Row]
    /// What is new. Weekdays, exceptions and strictness of a schedule stay.
    let schedules: [(person: PersonID, schedule: RecurringSchedule)]
    let answer: ScheduleAnswer?
    let then: PersonID?
    private let reading: FormReading

    package init(_ fields: FormFields, _ household: Household) {
        var reading = FormReading(fields)
        var schedules: [(PersonID, RecurringSchedule)] = []
        rows = household.people.map { person in
            let id = person.id.rawValue
            let row = Row(
                id: person.id, isOn: reading.isOn("on-\(id)"), start: fields.first("start-\(id)") ?? "",
                end: fields.first("end-\(id)") ?? "")
            let schedule = Self.schedule(of: person, row, &reading)
            if let schedule, schedule != person.schedule { schedules.append((person.id, schedule)) }
            return row
        }
        self.schedules = schedules
        answer =
            fields.contains("begin")
            ? reading.choice("begin", as: ScheduleAnswer.self, "Choose Start now or From tomorrow.") : nil
        let next = reading.optional("then").flatMap { Int64($0) }.map(PersonID.init(rawValue:))
        then = next.flatMap { household[person: $0]?.id }
        self.reading = reading
    }

    func check() throws(FormRejected) {
        var reading = reading
        try reading.finish()
    }

    /// Nil if a time is wrong, and if nothing was on and nothing is. Times of a bedtime that is off are not looked at.
    private static func schedule(
        of person: Person, _ row: Row, _ reading: inout FormReading
    ) -> RecurringSchedule? {
        let id = person.id.rawValue
        guard row.isOn else {
            _ = (reading.optional("start-\(id)"), reading.optional("end-\(id)"))
            var schedule = person.schedule
            schedule?.isEnabled = false
            return schedule
        }
        let times = (start: reading.time("start-\(id)"), end: reading.time("end-\(id)"))
        guard let start = times.start, let end = times.end else { return nil }
        var schedule = person.schedule ?? .default
        if !schedule.isEnabled { schedule.strictness = person.defaultStrictness }
        (schedule.isEnabled, schedule.start, schedule.end) = (true, start, end)
        do { try schedule.check() } catch { reading.refuse("end-\(id)", error) }
        return schedule
    }
}
