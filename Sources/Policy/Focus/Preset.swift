/// How long the focus timer runs, in whole minutes: one of the three presets, or any length up to a day.
package struct Preset: Hashable, Sendable {
    package static let range = 1...1_440
    /// The length of a new timer, and of a link without a usable length.
    package static let standard = Preset(unchecked: 25)
    /// The three buttons, in their order.
    package static let all = [standard, Preset(unchecked: 45), Preset(unchecked: 90)]

    package let minutes: Int

    /// The minutes that a form or a program sends; nil if out of range.
    package init?(minutes: Int) {
        guard Self.range.contains(minutes) else { return nil }
        self.minutes = minutes
    }

    private init(unchecked minutes: Int) { self.minutes = minutes }

    /// A link's `minutes`: missing, not a whole number or below 1 means 25; more than a day means a day.
    package init(link text: String?) {
        guard let text, let minutes = Self.wholeNumber(text), minutes >= Self.range.lowerBound else {
            self = .standard
            return
        }
        self.init(unchecked: min(minutes, Self.range.upperBound))
    }

    package var seconds: Int { minutes * 60 }

    /// The button's text and the history's label, for any length: "25m".
    package var label: String { "\(minutes)m" }

    /// The widget's text: "25".
    package var widgetLabel: String { String(minutes) }

    /// The button's description for screen readers.
    package var hint: String { "Set preset to \(minutes) minutes" }

    /// The link that starts it.
    package var path: String { "/start?minutes=\(minutes)" }

    /// ASCII digits with an optional sign, of any length; a number too large for `Int` is clamped.
    private static func wholeNumber(_ text: String) -> Int? {
        var digits = Array(text.utf8)[...]
        let sign = digits.first.flatMap { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") ? $0 : nil }
        if sign != nil { digits.removeFirst() }
        guard !digits.isEmpty, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        if sign == UInt8(ascii: "-") { return 0 }
        return Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}
