import Policy

/// The posted form of the gate.
struct SetupForm {
    let code: String
    let passcode: String
    let timeZone: String
    let enroll: Bool
    /// The kind of device that a script reports of a Macintosh.
    let kind: String?

    init(_ fields: FormFields) throws(FormRejected) {
        var reading = FormReading(fields)
        code = reading.required("code", "Please give the code that the terminal shows.") ?? ""
        passcode = reading.required("passcode", "Please choose a passcode.") ?? ""
        timeZone = reading.required("timeZone", "Please choose a time zone.") ?? ""
        enroll = reading.isOn("enroll", alsoAs: ["true", "1"], offAs: ["off", "false", "0", ""])
        kind = reading.optional("kind")
        if !passcode.isEmpty, let objection = Passcode.objection(to: passcode) {
            reading.refuse("passcode", objection)
        }
        if !timeZone.isEmpty, CivilZone(timeZone) == nil {
            reading.refuse("timeZone", "There is no time zone of this name.")
        }
        try reading.finish()
    }
}
