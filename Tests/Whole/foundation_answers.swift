// Prints what Foundation answers by its ICU data, a line for each question. test_small_binary.py links it twice, with the
// data whole and with what Scripts/trim-icu keeps of it, and compares. Its words are names that Foundation may not know.
import Foundation

func line(_ question: String, _ answers: some Sequence<String>) {
    print(
        question,
        answers.reduce(into: 14_695_981_039_346_656_037 as UInt64) { hash, answer in
            for byte in answer.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        })
}

let day = 86_400.0
let century = stride(from: -2_208_988_800.0, to: 4_102_444_800, by: 45 * day).map(
    Date.init(timeIntervalSince1970:))
for name in (TimeZone.knownTimeZoneIdentifiers + CommandLine.arguments.dropFirst()).sorted() {
    guard let zone = TimeZone(identifier: name) else {
        print(name, "unknown")
        continue
    }
    var answers = [zone.identifier]
    answers += century.map { "\(zone.secondsFromGMT(for: $0)) \(zone.isDaylightSavingTime(for: $0))" }
    var instant: Date? = Date(timeIntervalSince1970: 1_500_000_000)
    while let next = instant, next.timeIntervalSince1970 < 2_000_000_000 {
        answers.append("\(next.timeIntervalSince1970)")
        instant = zone.nextDaylightSavingTimeTransition(after: next)
    }
    line(name, answers)
}

let characters = (0...0x3FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).map {
    String(Character($0))
}
let pairs = characters.map { "a" + $0 + "\u{301}" }
line("composed", pairs.map(\.precomposedStringWithCanonicalMapping))
line("decomposed", pairs.map(\.decomposedStringWithCanonicalMapping))
line("compatible", characters.map(\.precomposedStringWithCompatibilityMapping))
line("apart", characters.map(\.decomposedStringWithCompatibilityMapping))
line("lower", characters.map { $0.lowercased() })
line("upper", characters.map { $0.uppercased() })
line("capital", characters.map { ("x " + $0 + "b").capitalized })
line(
    "folded",
    characters.prefix(0x3000).map {
        $0.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    })
line("equal", characters.prefix(0x3000).map { "\($0.caseInsensitiveCompare($0.uppercased()).rawValue)" })
line("hosts", characters.prefix(0x600).map { URL(string: "http://b\($0)c.example/")?.host() ?? "none" })
line(
    "digits",
    ["+1 234,5 \u{661}"].flatMap { [$0.components(separatedBy: .decimalDigits).joined(separator: "|")] })
let words = "The quick (“brown”) fox can’t jump 32.3 feet, right?"
print(words.replacingOccurrences(of: "[aeiou]\\b", with: "_", options: .regularExpression))

line("iso", century.map { $0.formatted(.iso8601) })
