import Policy

/// The form that starts a manual session (SI-125: only the six durations; SI-040: only the two modes).
struct SessionForm {
    let durationMinutes: Int
    let strictness: StrictnessMode

    init(_ fields: FormFields) throws(FormRejected) {
        var reading = FormReading(fields)
        let minutes = reading.integer("durationMinutes", Refusal.unknownDuration.message)
        if let minutes, !SleepSession.durations.contains(minutes) {
            reading.refuse("durationMinutes", .unknownDuration)
        }
        let strictness = reading.choice("strictness", as: StrictnessMode.self, "Choose Strict or Flexible.")
        try reading.finish()
        self.durationMinutes = minutes ?? 0
        self.strictness = strictness ?? .flexible
    }
}
