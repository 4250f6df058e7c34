/// A tag of a page that `PageRenderer` wrote. Its attributes have double quotes, or no value.
struct HTMLTag {
    struct Attribute {
        let name: String
        /// The text between the quotes, still escaped; empty without a value.
        let value: Range<Int>
        /// The whole attribute, with the space before it.
        let range: Range<Int>
    }

    let name: String
    let isClosing: Bool
    /// From `<` to `>`.
    let range: Range<Int>
    private(set) var attributes: [Attribute] = []

    /// The next tag of a page at or after an index; nil after the last one.
    init?(in page: [UInt8], from index: Int) {
        guard var end = page[index...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
        let start = end
        end += 1
        isClosing = end < page.count && page[end] == UInt8(ascii: "/")
        if isClosing { end += 1 }
        let named = end
        while end < page.count, Self.isPartOfName(page[end]) { end += 1 }
        name = String(decoding: page[named..<end], as: UTF8.self)
        while end < page.count, page[end] != UInt8(ascii: ">") {
            guard page[end] == UInt8(ascii: " ") || page[end] == UInt8(ascii: "\n") else {
                end += 1
                continue
            }
            let before = end
            end += 1
            let word = end
            while end < page.count, Self.isPartOfName(page[end]) { end += 1 }
            guard end > word else { continue }
            let name = String(decoding: page[word..<end], as: UTF8.self)
            var value = end..<end
            if end + 1 < page.count, page[end] == UInt8(ascii: "="), page[end + 1] == UInt8(ascii: "\"") {
                let close = page[(end + 2)...].firstIndex(of: UInt8(ascii: "\"")) ?? page.count - 1
                value = end + 2..<close
                end = close + 1
            }
            attributes.append(Attribute(name: name, value: value, range: before..<end))
        }
        range = start..<min(end + 1, page.count)
    }

    func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }

    func has(_ name: String) -> Bool { attribute(name) != nil }

    /// An attribute's text; nil if the tag does not have it.
    func value(_ name: String, in page: [UInt8]) -> String? {
        attribute(name).map { HTMLText.read(page[$0.value]) }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "!"):
            true
        default: false
        }
    }
}

extension HTMLText {
    /// The text that `write` escaped.
    static func read(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    static func escaped(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        write(text, isMarkup: false, to: &output)
        return output
    }
}
