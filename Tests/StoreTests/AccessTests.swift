import Foundation
import GRDB
import Policy
import Testing

@testable import Store

@Suite struct AccessTests {
    @Test func setUpIsDoneWhenThereIsAPasscode() throws {
        let scratch = Scratch()
        try {
            let store = try scratch.open()
            #expect(!store.isSetUp)
            let first = try store.makeSetupCode()
            #expect(first.count == 9 && first.dropFirst(4).first == "-")
            #expect(store.isSetupCode(first))
            #expect(store.isSetupCode(first.lowercased().replacingOccurrences(of: "-", with: " ")))
            let second = try store.makeSetupCode()
            #expect(!store.isSetupCode(first))
            #expect(!store.isSetupCode(""))
            #expect(store.isSetupCode(second))
            try store.setPasscodeHash("$scrypt$abc")
            #expect(!store.isSetupCode(second))
        }()
        let store = try scratch.open()
        #expect(store.isSetUp)
        #expect(store.passcodeHash == "$scrypt$abc")
    }

    @Test func loginsSurviveARestart() throws {
        let scratch = Scratch()
        let made = try scratch.open().createLogin(at: noon)
        #expect(made.token.utf8.count == 43 && made.csrf.utf8.count == 43)
        let store = try scratch.open()
        let login = try #require(store.login(token: made.token, at: noon.addingTimeInterval(60)))
        #expect(login.csrf == made.csrf)
        #expect(store.login(token: made.csrf, at: noon) == nil)
        #expect(store.login(token: "", at: noon) == nil)
        try store.endLogin(token: made.token)
        #expect(store.login(token: made.token, at: noon) == nil)
    }

    @Test func loginsEndAfterAYearWithoutUse() throws {
        let scratch = Scratch()
        let year: TimeInterval = 365 * 86_400
        var store: HouseholdStore? = try scratch.open()
        let used = try store!.createLogin(at: noon).token
        let idle = try store!.createLogin(at: noon).token
        #expect(store!.login(token: used, at: noon.addingTimeInterval(year / 2)) != nil)
        store = nil
        store = try scratch.open()
        #expect(store!.login(token: used, at: noon.addingTimeInterval(year + 1)) != nil)
        #expect(store!.login(token: idle, at: noon.addingTimeInterval(year + 1)) == nil)
    }

    @Test func lookingALoginUpWritesOnceAnHour() throws {
        let store = try Scratch().open()
        let token = try store.createLogin(at: noon).token
        let written = TablesWritten()
        store.queue.inDatabase { written.watch($0) }
        for second in stride(from: 0.0, to: 7_300, by: 10) {
            _ = store.login(token: token, at: noon.addingTimeInterval(second))
        }
        #expect(written.take() == ["login", "login"])
    }

    @Test func loggingOutEverywhere() throws {
        let store = try Scratch().open()
        let tokens = try (0..<3).map { _ in try store.createLogin(at: noon).token }
        #expect(store.loginCount == 3)
        try store.endAllLogins()
        #expect(tokens.allSatisfy { store.login(token: $0, at: noon) == nil })
    }

    @Test func aNewPasscodeEndsTheOtherLogins() throws {
        let store = try Scratch().open()
        let mine = try store.createLogin(at: noon).token
        let other = try store.createLogin(at: noon).token
        try store.setPasscodeHash("new", keeping: mine)
        #expect(store.login(token: mine, at: noon) != nil)
        #expect(store.login(token: other, at: noon) == nil)
        try store.setPasscodeHash("newer")
        #expect(store.login(token: mine, at: noon) == nil)
    }

    @Test func theLoginUnusedLongestMakesRoom() throws {
        let store = try Scratch().open()
        let first = try store.createLogin(at: noon).token
        for number in 1...LoginRecord.limit {
            _ = try store.createLogin(at: noon.addingTimeInterval(Double(number)))
        }
        #expect(store.loginCount == LoginRecord.limit)
        #expect(store.login(token: first, at: noon) == nil)
    }

    @Test func tokensAreShownOnceAndCanBeRevoked() throws {
        let scratch = Scratch()
        let plaintext = try scratch.open().createToken(name: "Home Assistant", at: noon)
        #expect(plaintext.hasPrefix("si_") && plaintext.utf8.count == 46)
        let store = try scratch.open()
        let token = try #require(store.token(matching: plaintext))
        #expect(token.name == "Home Assistant")
        #expect(store.tokens == [token])
        #expect(store.token(matching: plaintext + "x") == nil)
        try store.revokeToken(token.id)
        #expect(store.token(matching: plaintext) == nil)
        #expect(throws: StoreError.self) { try store.createToken(name: "", at: noon) }
        #expect(store.tokens.isEmpty)
    }

    @Test func noSecretIsInTheFilesButAsHash() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        let login = try store.createLogin(at: noon)
        let token = try store.createToken(name: "t", at: noon)
        let code = try store.makeSetupCode()
        store.flush()
        for name in scratch.names {
            let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/" + name))
            for secret in [login.token, token, code, code.replacingOccurrences(of: "-", with: "")] {
                #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)")
            }
        }
    }

    @Test("The time after a power cut is not before a bedtime that came after the noted instant")
    func aSessionThatBeganTellsTheTime() throws {
        let store = try Scratch().open()
        func begin(_ seconds: TimeInterval) throws {
            try store.change { household in
                household.people[0].session = .example(from: noon + seconds, strictness: .strict)
            }
        }
        try begin(200)
        #expect(store.latestInstant == nil, "nothing is known of the time yet")
        try store.setLastInstant(noon)
        #expect(store.latestInstant == noon + 200)
        try begin(86_400)
        #expect(store.latestInstant == noon, "a clock that was far ahead tells nothing")
        try begin(-200)
        #expect(store.latestInstant == noon)
    }

    @Test func theSecretAndTheLastInstantAreKept() throws {
        let scratch = Scratch()
        let secret = try {
            let store = try scratch.open()
            #expect(store.lastInstant == nil)
            try store.setLastInstant(noon)
            return store.secret
        }()
        #expect(secret.count == 32)
        let store = try scratch.open()
        #expect(store.secret == secret)
        #expect(store.lastInstant == noon)
        #expect(try Scratch().open().secret != secret)
    }
}
