import Foundation
import Policy

/// Discipline Dungeon's wire format, exactly.
enum VerifiedJSON {
    static func selection(_ selection: WireSelection) -> JSONValue {
        .object([
            ("v", .int(WireSelection.version)), ("encodedPlistBase64", .string(selection.encodedPlistBase64)),
            ("applicationTokenCount", .int(selection.applicationTokenCount)),
            ("categoryTokenCount", .int(selection.categoryTokenCount)),
            ("webDomainTokenCount", .int(selection.webDomainTokenCount)),
        ])
    }

    static func receipt(_ outcome: UploadOutcome, of date: CivilDate) -> JSONValue {
        .object([
            ("date", .string(date.description)), ("status", .string(outcome.status.rawValue)),
            ("deltaMinutes", .int(outcome.deltaMinutes)),
        ])
    }

    /// The largest change of a day's minutes, in both directions.
    private static let deltas = -VerifiedMinutes.range.upperBound...VerifiedMinutes.range.upperBound

    /// Another server's receipt; nil if it is none, or for another day.
    static func outcome(_ body: [UInt8], of date: CivilDate) -> UploadOutcome? {
        struct Receipt: Decodable {
            var date: String
            var status: UploadOutcome.Status
            var deltaMinutes: Int
        }
        guard let receipt = try? JSONDecoder().decode(Receipt.self, from: Data(body)),
            receipt.date == date.description, deltas.contains(receipt.deltaMinutes)
        else { return nil }
        return UploadOutcome(status: receipt.status, deltaMinutes: receipt.deltaMinutes)
    }
}

extension VerifiedUpload {
    var json: JSONValue {
        .object([
            ("date", .string(date.description)), ("verifiedMinutes", .int(verifiedMinutes)),
            (
                "raw",
                .object([
                    ("source", .string(source)), ("timezone", .string(timezone)),
                    ("selection", VerifiedJSON.selection(selection)),
                    ("computedAtISO8601", .string(computedAtISO8601)),
                ])
            ),
        ])
    }
}

extension VerifiedConnection {
    var json: JSONValue {
        .object([
            ("enabled", .bool(enabled)), ("timezone", .string(timezone)),
            ("selection", VerifiedJSON.selection(selection)),
        ])
    }
}
