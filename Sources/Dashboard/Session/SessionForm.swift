import Policy

/// The form that starts a manual session (only the six durations, or until the morning; only the two
/// modes).
struct SessionForm {
    /// The value of `durationMinutes` for "Until 07:00".
    static let morning = "morning"

    /// Nil: until the morning, as with "Bedtime now".
    let durationMinutes: Int?
    let strictness: StrictnessMode

    init(_ fields: FormFields) throws(FormRejected) {
        var reading = FormReading(fields)
        var minutes: Int?
        if fields.first("durationMinutes") == Self.morning {
            _ = reading.optional("durationMinutes")
        } else {
            minutes = reading.integer("durationMinutes", Refusal.unknownDuration.message)
        }
        if let minutes, !SleepSession.durations.contains(minutes) {
            reading.refuse("durationMinutes", .unknownDuration)
        }
        let strictness = reading.choice("strictness", as: StrictnessMode.self, "Choose Strict or Flexible.")
        try reading.finish()
        durationMinutes = minutes
        self.strictness = strictness ?? .flexible
    }
}
