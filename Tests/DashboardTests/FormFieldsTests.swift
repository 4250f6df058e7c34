import Dashboard
import NIOCore
import Testing

@Suite struct FormFieldsTests {
    private func read(_ text: String) throws -> [String: [String]] {
        let fields = try FormFields(ByteBuffer(string: text))
        return Dictionary(grouping: fields.pairs, by: \.name).mapValues { $0.map(\.value) }
    }

    @Test(
        "Fields are decoded",
        arguments: [
            ("a=1&b=2", ["a": ["1"], "b": ["2"]]), ("a=1&a=2", ["a": ["1", "2"]]), ("", [:]), ("&&", [:]),
            ("a", ["a": [""]]), ("a=", ["a": [""]]), ("=x", ["": ["x"]]), ("a=b=c", ["a": ["b=c"]]),
            ("a=1+2%2B3", ["a": ["1 2+3"]]), ("%61%3D=%c3%a9", ["a=": ["é"]]),
            ("name=%F0%9F%8C%99e%CC%81%22%3E", ["name": ["🌙e\u{301}\">"]]), ("a=x%0D%0Ay", ["a": ["x\r\ny"]]),
        ])
    func decodes(_ text: String, _ expected: [String: [String]]) throws {
        #expect(try read(text) == expected)
    }

    @Test(
        "What is no form is refused",
        arguments: [
            ("a=%", FormFields.Fault.badEscape), ("a=%4", .badEscape), ("a=%zz", .badEscape),
            ("a=%-1", .badEscape),
            ("a=%ff", .notUTF8), ("a=%c3", .notUTF8), ("a=%ed%a0%80", .notUTF8), ("a=%c0%80", .notUTF8),
            ("a=%00", .controlCharacter), ("a=%1b[31m", .controlCharacter), ("a=%c2%85", .controlCharacter),
            (String(repeating: "x", count: 65) + "=1", .nameOrValueTooLong),
            ("a=" + String(repeating: "x", count: 64 * 1024 + 1), .nameOrValueTooLong),
            (String(repeating: "a=1&", count: 4097), .tooManyFields),
        ])
    func refuses(_ text: String, _ fault: FormFields.Fault) {
        #expect(throws: fault) { try read(text) }
    }

    @Test("Any bytes are read or refused, never worse")
    func anyBytes() {
        var generator = SystemRandomNumberGenerator()
        let interesting = Array("%+&=aF0\u{0}é".utf8)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? interesting.randomElement()! : UInt8.random(in: .min ... .max)
            }
            if let fields = try? FormFields(bytes: bytes) {
                #expect(fields.pairs.count <= bytes.count)
                #expect(fields.pairs.allSatisfy { !$0.value.unicodeScalars.contains("\u{0}") })
            }
        }
    }
}
