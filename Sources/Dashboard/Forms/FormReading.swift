import Pages
import Policy

/// The errors of a form, shown beside their fields; the answer is 422.
package struct FormRejected: Error, Equatable {
    /// One sentence per field name; the empty name means the whole form.
    package var reasons: [String: String]

    package init(_ reasons: [String: String]) {
        self.reasons = reasons
    }
}

/// Reads a form field by field and collects all reasons to refuse it, so that one answer shows them all.
struct FormReading {
    let fields: FormFields
    private var known: Set<String> = ["csrf", "person", "back", ShownFields.field]
    private(set) var reasons: [String: String] = [:]

    init(_ fields: FormFields) {
        self.fields = fields
    }

    mutating func refuse(_ name: String, _ reason: String) {
        if reasons[name] == nil { reasons[name] = reason }
    }

    /// A field that may be there, at most once.
    mutating func optional(_ name: String) -> String? {
        known.insert(name)
        let values = fields.all(name)
        if values.count > 1 { refuse(name, "This was sent more than once.") }
        return values.first
    }

    /// A field that must be there once and not be empty.
    mutating func required(_ name: String, _ reason: String) -> String? {
        guard let value = optional(name), !value.isEmpty else {
            refuse(name, reason)
            return nil
        }
        return value
    }

    /// A field that must be there once and that `parse` can read.
    private mutating func parsed<Value>(
        _ name: String, _ reason: String, _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = required(name, reason) else { return nil }
        let value = parse(text)
        if value == nil { refuse(name, reason) }
        return value
    }

    /// A field that may be there several times.
    mutating func many(_ name: String) -> [String] {
        known.insert(name)
        return fields.all(name)
    }

    /// A checkbox: `on`, or missing; programs may use other words too.
    mutating func isOn(_ name: String, alsoAs on: Set<String> = [], offAs off: Set<String> = []) -> Bool {
        switch optional(name) {
        case "on": return true
        case nil: return false
        case let value? where on.contains(value): return true
        case let value? where off.contains(value): return false
        default:
            // A switch has no place for a text beside it, so this goes to the top of the page.
            refuse("", "\(name) can only be on, or absent.")
            return false
        }
    }

    /// One value of a closed list (any other is refused).
    mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, as type: Choice.Type = Choice.self, _ reason: String
    ) -> Choice? {
        parsed(name, reason) { Choice(rawValue: $0) }
    }

    mutating func integer(_ name: String, _ reason: String) -> Int? {
        parsed(name, reason, Self.wholeNumber)
    }

    /// `HH:MM` with two digits each.
    mutating func time(_ name: String) -> TimeOfDay? {
        parsed(name, "Please give a time between 00:00 and 23:59.") { TimeOfDay($0) }
    }

    /// Notes a rule's refusal beside its field.
    mutating func refuse(_ name: String, _ refusal: Refusal) { refuse(name, refusal.message) }

    /// Throws the collected reasons, unknown fields among them.
    mutating func finish() throws(FormRejected) {
        let strangers = Set(fields.pairs.map(\.name)).subtracting(known)
        if let stranger = strangers.min() {
            refuse("", "This form has no field called “\(stranger.prefix(40))”.")
        }
        guard reasons.isEmpty else { throw FormRejected(reasons) }
    }

    /// Digits only: `+5`, ` 5`, `5.0` and digits of other scripts are no numbers.
    static func wholeNumber(_ text: String) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
