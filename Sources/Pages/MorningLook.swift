package import Foundation
package import Policy

/// A morning in words, with its end.
package struct MorningLook: Sendable {
    package let greeting = "Good morning."
    /// `7 h 45 min of quiet, the sixth night in a row.`
    package let text: String
    /// ISO 8601; the script takes the morning away then.
    package let until: String

    package init(_ morning: Morning) {
        let row = morning.nights > 1 ? ", the \(Self.ordinal(morning.nights)) night in a row" : ""
        text = "\(Self.length(morning.minutes)) of quiet\(row)."
        until = ClockFace.iso(morning.began + Morning.length)
    }

    /// Nil while it is not this morning.
    package init?(_ morning: Morning?, at now: Date) {
        guard let morning, morning.contains(now) else { return nil }
        self.init(morning)
    }

    /// `7 h 45 min`, `8 h`.
    private static func length(_ minutes: Int) -> String {
        minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// `second` to `twelfth`, then `13th`.
    private static func ordinal(_ number: Int) -> String {
        let words = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
            "eleventh", "twelfth",
        ]
        if number <= words.count { return words[number - 1] }
        let isTeen = (11...13).contains(number % 100)
        let ending = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "\(number)\(ending)"
    }
}

/// How far a page has sunk to amber before a bedtime: in six steps over its last half hour. The script says the same.
package struct Dusk: Hashable, Sendable {
    /// In seconds.
    package static let length: TimeInterval = 30 * 60
    package static let steps = 6

    /// ISO 8601.
    package let bedtime: String
    /// 0 by day, 6 in the last five minutes.
    package let step: Int

    /// Nil if no bedtime is planned.
    package init?(to bedtime: Date?, at now: Date) {
        guard let bedtime, bedtime > now else { return nil }
        let left = bedtime.timeIntervalSince(now) / Self.length * Double(Self.steps)
        self.bedtime = ClockFace.iso(bedtime)
        step = max(0, Self.steps + 1 - Int(min(left.rounded(.up), 100)))
    }
}

/// What of a night is near while nobody sleeps: the morning after it, or the dusk before the next one.
package struct NightEdge: Sendable {
    package let morning: MorningLook?
    /// Nil in the morning.
    package let dusk: Dusk?

    /// A morning that comes if the night runs to its end.
    package init(coming morning: Morning) {
        self.morning = MorningLook(morning)
        dusk = nil
    }

    /// Nil if nothing is near. `bedtime` is the person's next one.
    package init?(morning: Morning?, bedtime: Date?, at now: Date) {
        self.morning = MorningLook(morning, at: now)
        dusk = self.morning == nil ? Dusk(to: bedtime, at: now) : nil
        if self.morning == nil && dusk == nil { return nil }
    }
}
