/// The hours that a browser's languages are used to: the preferred hour cycle of a region in Unicode's CLDR (`timeData` in its
/// supplemental data), and for a language without a region the region where most of its speakers are.
enum ClockHabit {
    /// From an `Accept-Language` (RFC 9110, 12.5.4): the most wanted language decides. If it names no region, another entry
    /// of the same language may. What cannot be read counts for nothing.
    static func style(_ header: String) -> ClockStyle {
        let wanted = languages(header)
        guard let first = wanted.first else { return .twentyFourHours }
        let placed = wanted.first { $0.language == first.language && $0.region != nil } ?? first
        return placed.hasTwelveHours ? .twelveHours : .twentyFourHours
    }

    /// The primary language and the region of a tag (RFC 5646), in lower and upper case.
    private struct Tag {
        let language: String
        let script: String?
        let region: String?

        /// Nil for `*` and for what is no tag.
        init?(_ text: Substring) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard let first = parts.first, (2...3).contains(first.utf8.count), first.isLetters,
                parts.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isLetterOrDigit) })
            else { return nil }
            language = first.lowercased()
            // What follows a single letter is an extension.
            let rest = parts.dropFirst().prefix { $0.utf8.count > 1 }
            script = rest.first { $0.utf8.count == 4 && $0.isLetters }?.lowercased()
            region = rest.first { part in
                part.utf8.count == 2 && part.isLetters
                    || part.utf8.count == 3 && part.utf8.allSatisfy { (48...57).contains($0) }
            }?.uppercased()
        }

        var hasTwelveHours: Bool {
            guard let region else {
                return ClockHabit.languages.contains(language) || language == "zh" && script == "hant"
            }
            return switch "\(language)-\(region)" {
            case "fr-CA", "ku-SY": false
            case "en-001", "ar-001": true
            default: ClockHabit.regions.contains(region)
            }
        }
    }

    /// The most wanted first; of equally wanted ones the first.
    private static func languages(_ header: String) -> [Tag] {
        let entries = header.prefix(1_000).split(separator: ",").compactMap {
            entry -> (tag: Tag, weight: Int)? in
            let parts = entry.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
            guard let name = parts.first, let tag = Tag(name), let weight = weight(parts.dropFirst()),
                weight > 0
            else { return nil }
            return (tag, weight)
        }
        // Swift's sort keeps the order of equals only by chance, so the place decides too.
        return entries.enumerated()
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.tag)
    }

    /// Thousandths, 1,000 without a `q`; nil for what is no weight.
    private static func weight(_ parameters: ArraySlice<Substring>) -> Int? {
        guard let text = parameters.first else { return 1_000 }
        guard parameters.count == 1, text.lowercased().hasPrefix("q="), let value = Double(text.dropFirst(2)),
            (0...1).contains(value)
        else { return nil }
        return Int(value * 1_000)
    }

    /// Regions whose preferred cycle is `h` in CLDR 48.
    private static let regions = Set(
        """
        419 AE AG AL AS AU BB BD BH BM BN BO BS BT CA CO CR CU CY DJ DM DO DZ EC EG EH ER ET FJ FM GD GH GM GR GT GU GY HK
        HN IN IQ JM JO KH KI KN KP KR KW KY LB LC LR LS LY MH MO MP MR MW MX MY NA NI NZ OM PA PE PG PH PK PR PS PW QA SA
        SB SD SG SL SO SS SV SY SZ TC TD TN TO TT TW UM US VC VE VG VI VU WS YE
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// Languages whose likely region is one of these: `en` is US, `ar` EG, `hi` IN.
    private static let languages = Set(
        """
        ak am ar as bn brx ceb doi dz ee el en fil gu hi kn km ko kok ks mai mi ml mni mr ms om or pa sa sat sd sm so sq
        ta te ti tl to ur
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}

extension Substring {
    fileprivate var isLetters: Bool { utf8.allSatisfy { (65...90).contains($0) || (97...122).contains($0) } }

    /// Without spaces and tabs around it.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? ""
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
    }
}
