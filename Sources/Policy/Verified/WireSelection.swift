import Foundation

/// A selection as it travels: a property list in Base64, with the number of entries by kind.
///
/// Other programs' lists are opaque to us and are passed on unchanged.
package struct WireSelection: Hashable, Sendable {
    package static let version = 1
    package static let counts = 0...10_000
    /// The largest `encodedPlistBase64`, in bytes.
    package static let maximum = 128 * 1024

    package var encodedPlistBase64: String
    package var applicationTokenCount: Int
    package var categoryTokenCount: Int
    package var webDomainTokenCount: Int

    /// Takes another program's selection. Throws for another version, for values out of range, and for a list that
    /// cannot be decoded.
    package init(
        version: Int, encodedPlistBase64: String, applicationTokenCount: Int, categoryTokenCount: Int,
        webDomainTokenCount: Int
    ) throws(Refusal) {
        guard version == Self.version else { throw .selectionVersionUnknown }
        guard encodedPlistBase64.utf8.count <= Self.maximum else { throw .selectionTooLarge }
        guard Self.isBase64(encodedPlistBase64) else { throw .selectionUnreadable }
        for count in [applicationTokenCount, categoryTokenCount, webDomainTokenCount]
        where !Self.counts.contains(count) { throw .tokenCountOutOfRange }
        self.encodedPlistBase64 = encodedPlistBase64
        self.applicationTokenCount = applicationTokenCount
        self.categoryTokenCount = categoryTokenCount
        self.webDomainTokenCount = webDomainTokenCount
    }

    /// Encodes our own selection.
    package init(_ selection: AppSelection) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        // Arrays of strings always encode.
        let data = (try? encoder.encode(OwnPlist(selection))) ?? Data()
        encodedPlistBase64 = data.base64EncodedString()
        applicationTokenCount = selection.apps.count
        categoryTokenCount = selection.categories.count
        webDomainTokenCount = selection.domains.count
    }

    /// RFC 4648, section 4, in full groups of four; Foundation would also accept padding in the middle.
    private static func isBase64(_ text: String) -> Bool {
        let filling = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return text.utf8.count % 4 == 0 && filling <= 2
            && text.utf8.dropLast(filling).allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }

    private struct OwnPlist: Encodable {
        var sleepInducer = WireSelection.version
        var apps: [String]
        var categories: [String]
        var domains: [String]

        init(_ selection: AppSelection) {
            apps = selection.apps.sorted()
            categories = selection.categories.sorted()
            domains = selection.domains.sorted()
        }
    }
}
