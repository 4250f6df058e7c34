import Testing

@testable import Policy

@Suite struct PasscodeTests {
    @Test(
        "Passcodes that are too short, too long or easy to guess are refused with a reason",
        arguments: [
            ("1234", "6 characters"), ("abcde", "6 characters"), (String(repeating: "xy9", count: 50), "128"),
            ("      ", "spaces"), ("000000", "guess"), ("123456", "guess"), ("654321", "guess"),
            ("567890", "guess"), ("890123", "guess"), ("121212", "guess"), ("123123", "guess"),
            ("AbCdEf", "guess"),
            ("qwertz", "guess"), ("QWERTY", "guess"), ("aaaaaaaa", "guess"), ("Password", "guess"),
            ("letmein", "guess"), ("112233", "guess"),
        ])
    func refuses(_ text: String, _ reason: String) throws {
        let objection = try #require(Passcode.objection(to: text))
        #expect(objection.contains(reason))
    }

    @Test(arguments: ["moonlight-42", "correct horse", "739164", "новая луна", "🌙🌙⭐️🌙☁️🌙", "sleep well 7"])
    func takes(_ text: String) { #expect(Passcode.objection(to: text) == nil) }
}
