import Foundation
import Testing

@testable import Policy

@Suite struct JSONValueTests {
    private static func read(_ json: String, maximumDepth: Int = 8) throws -> JSONValue {
        try JSONValue(json: Array(json.utf8), maximumDepth: maximumDepth)
    }

    @Test(
        "Strings as Foundation reads them",
        arguments: [
            #""""#, #""a b""#, #""Bücher""#, #""\"\\\/\n""#, #""\u00e9\ud83d\ude00!""#, #""ends with \\""#,
        ])
    func strings(json: String) throws {
        let expected = try JSONDecoder().decode(String.self, from: Data(json.utf8))
        #expect(try Self.read(json) == .string(expected))
    }

    @Test(
        "Whole numbers are whole, however they are written",
        arguments: [
            ("0", JSONValue.int(0)), ("-7", .int(-7)), ("1e2", .int(100)), ("1.0", .int(1)),
            ("1.5", .number(1.5)),
            ("9223372036854775807", .int(.max)), ("9223372036854775808", .number(9.223372036854775808e18)),
        ])
    func numbers(json: String, value: JSONValue) throws { #expect(try Self.read(json) == value) }

    @Test("Values of every kind, with spaces anywhere and their order kept") func everyKind() throws {
        let json = """
            \u{feff} {"z": {"a": [1, -2.5E+3, null, {}, []], "b": "}"} , "names":["x" , "y"],
            \t"is":true, "isNot" : false,"none":[] }\r\n
            """
        let expected =
            #"{"z":{"a":[1,-2500,null,{},[]],"b":"}"},"names":["x","y"],"is":true,"isNot":false,"none":[]}"#
        let value = try Self.read(String(json))
        #expect(String(decoding: value.bytes, as: UTF8.self) == expected)
        #expect(value["is"] == .bool(true) && value["other"] == nil && value["names"]?["x"] == nil)
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", "[", #"["a""#, #"["a",]"#, #"["a" "b"]"#, #"["a"] x"#, #"["a"#, #"["\"#, "[tru]", #"["\x"]"#,
            #"{"a":1,}"#, #"{"a"}"#, "{1:2}", "01", "+1", "1.", ".5", "-", "1e400", "0x1", "inf", "nan",
            "nullx",
            "[1]\0", "\u{1}1", "\"a\u{9}b\"", #""\ud800""#,
        ])
    func refused(json: String) {
        #expect(throws: JSONValue.Fault.self) { try Self.read(json) }
        #expect(throws: JSONValue.Fault.self) { try Self.read("[\(json)") }
    }

    @Test("Text that is not UTF-8 is refused") func encoding() {
        #expect(throws: JSONValue.Fault.self) { try JSONValue(json: [0x22, 0xFF, 0x22]) }
    }

    @Test("The depth has its limit, and what stands in each other counts, not what stands beside")
    func depth() throws {
        #expect(try Self.read("[[],[[]],{}]", maximumDepth: 3) != .null)
        #expect(throws: JSONValue.Fault.self) { try Self.read("[[],[[]],{}]", maximumDepth: 2) }
        #expect(try Self.read(#"["[[[["]"#, maximumDepth: 1) != .null)
        #expect(throws: JSONValue.Fault.self) { try Self.read(String(repeating: "[", count: 1_000_000)) }
    }

    @Test(
        "A member that is there twice is named by its path",
        arguments: [
            (#"{"a":1,"b":{"a":2}}"#, nil), (#"{"a":1,"\u0061":2}"#, "a"),
            (#"{"x":{"y":{"v":1,"v":1}}}"#, "x.y.v"),
            (#"{"w":[{"s":1},{"s":1,"s":2}]}"#, "w[1].s"), (#"[[{"a":1,"a":1}]]"#, "[0][0].a"),
            (#"{"a":{"b":1,"b":1},"a":1}"#, "a.b"),
        ])
    func repeated(json: String, path: String?) throws { #expect(try Self.read(json).repeatedMember == path) }

    @Test("Order, nulls and escapes stay")
    func text() {
        let json = JSONValue.object([
            ("b", .null), ("a", .array([.int(1), .bool(true)])), ("t", .string("\"\\\n</script>&é🌙\u{7f}")),
        ])
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"b":null,"a":[1,true],"t":"\"\\\u000a\u003c/script\u003e\u0026é🌙\u007f"}"#)
    }

    @Test("Instants are ISO 8601 in UTC, with milliseconds where there are some")
    func instants() {
        let evening = Date(timeIntervalSince1970: 1_795_201_200)
        #expect(JSONValue.instant(evening) == .string("2026-11-20T19:00:00Z"))
        #expect(JSONValue.instant(evening + 0.25) == .string("2026-11-20T19:00:00.250Z"))
        #expect(JSONValue.instant(nil) == .null)
    }

    @Test(
        "A shelf or an app without what it must have is refused",
        arguments: ["id", "name", "apps", "suffixes"])
    func missing(member: String) {
        let json = #"{"id":"s","name":"S","apps":[{"id":"a","name":"A","suffixes":["a.example"]}]}"#
        #expect(throws: Never.self) { try CatalogFile(json: Array(json.utf8)) }
        let less = json.replacing("\"\(member)\"", with: "\"other\"")
        #expect(throws: JSONValue.Fault.self) { try CatalogFile(json: Array(less.utf8)) }
    }
}
