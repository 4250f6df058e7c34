import Foundation
import Testing

@testable import Policy

/// The reader of the catalog's JSON agrees with Foundation's.
@Suite struct JSONReaderTests {
    @Test(
        "Strings as Foundation reads them",
        arguments: [
            #""""#, #""a b""#, #""Bücher""#, #""\"\\\/\n""#, #""\u00e9\ud83d\ude00!""#, #""ends with \\""#,
        ])
    func strings(json: String) throws {
        let expected = try JSONDecoder().decode(String.self, from: Data(json.utf8))
        #expect(try JSONReader.read(Array(json.utf8)) { try $0.string() } == expected)
    }

    @Test("Members in any order, spaces anywhere, unknown members of every kind passed over") func members()
        throws
    {
        let json = """
             {"note": {"a": [1, -2.5E+3, null, {}, []], "b": "}"} , "names":["x" , "y"],
            "is":true, "isNot" : false,"none":[] }\n
            """
        var seen: [String: String] = [:]
        try JSONReader.read(Array(json.utf8)) { reader in
            try reader.object { reader, member in
                switch member {
                case "names", "none": seen[member] = try reader.strings().joined()
                case "is", "isNot": seen[member] = try "\(reader.bool())"
                default: try reader.skip()
                }
            }
        }
        #expect(seen == ["names": "xy", "none": "", "is": "true", "isNot": "false"])
    }

    @Test(
        "What is no JSON, or other than expected, is refused",
        arguments: [
            "", "[", #"["a""#, #"["a",]"#, #"["a" "b"]"#, #"["a"] x"#, #"["a"#, #"["\"#, "{}", "[1]", "[tru]",
            #"["\x"]"#, "null",
        ])
    func refused(json: String) {
        #expect(throws: JSONReader.Fault.self) { try JSONReader.read(Array(json.utf8)) { try $0.strings() } }
        #expect(throws: JSONReader.Fault.self) {
            try JSONReader.read(Array(#"{"a":\#(json.isEmpty ? "," : json)"#.utf8)) { reader in
                try reader.object { reader, _ in try reader.skip() }
            }
        }
    }

    @Test(
        "A shelf or an app without what it must have is refused",
        arguments: ["id", "name", "apps", "suffixes"])
    func missing(member: String) {
        let json = #"{"id":"s","name":"S","apps":[{"id":"a","name":"A","suffixes":["a.example"]}]}"#
        #expect(throws: Never.self) { try CatalogFile(json: Array(json.utf8)) }
        let less = json.replacing("\"\(member)\"", with: "\"other\"")
        #expect(throws: JSONReader.Fault.self) { try CatalogFile(json: Array(less.utf8)) }
    }
}
