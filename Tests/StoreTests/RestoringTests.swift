import Foundation
import Policy
import Testing

@testable import Store

/// What a page needs of backups: looking at one, and restoring it without locking anybody out.
@Suite struct RestoringTests {
    @Test("A backup is looked at without a change to anything")
    func looking() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.backUpDaily(at: noon, isSynchronised: true)
        try store.change { $0.people[0].name = "Ada" }
        store.flush()
        let names = scratch.names
        let backup = try #require(store.keptBackups(at: noon).first)
        #expect(backup.kind == .daily)
        #expect(try store.contents(of: backup).household.people[0].name == "Me")
        #expect(store.household.people[0].name == "Ada" && scratch.names == names)
    }

    @Test("From a page, the passcode and the logins stay, tokens end, and what was there is kept")
    func entry() throws {
        let scratch = Scratch()
        let file = scratch.path + "/copy.backup"
        let login = try {
            let store = try scratch.open()
            try store.setPasscodeHash(passcodeText)
            try store.backup(to: file)
            try store.setPasscodeHash(otherPasscodeText)
            try store.change { $0.people[0].name = "Ada" }
            _ = try store.createToken(name: "a program", at: noon)
            return try store.createLogin(at: noon).token
        }()
        try HouseholdStore.restore(from: file, into: scratch.path, keepsEntry: true, at: noon)
        let store = try scratch.open()
        #expect(store.household.people[0].name == "Me")
        #expect(store.passcodeHash == otherPasscodeText && store.login(token: login, at: noon) != nil)
        #expect(store.tokens.isEmpty)
        let before = try #require(store.keptBackups(at: noon).first)
        #expect(before.kind == .beforeRestore)
        #expect(try store.contents(of: before).household.people[0].name == "Ada")
    }

    @Test("The last chosen file is kept for an hour at least, and says why it is no backup")
    func chosen() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        let first = try store.keepChosen(Data("Dear diary".utf8))
        let second = try store.keepChosen(Data("Dear diary, again".utf8))
        #expect(store.keptBackups(at: noon).map(\.name) == [second.name] && first.name != second.name)
        let error = #expect(throws: StoreError.self) { try store.contents(of: second) }
        #expect(error?.ofBackup == "This is no backup of Sleep Inducer. Choose another file.")
        func write(at instant: Date) throws {
            try FileManager.default.setAttributes([.modificationDate: instant], ofItemAtPath: second.path)
        }
        try write(at: noon - 60)
        try store.backUpDaily(at: noon, isSynchronised: true)
        #expect(store.keptBackups(at: noon).map(\.kind) == [.daily, .chosen], "Somebody looks at it.")
        try write(at: noon - 7_200)
        try store.backUpDaily(at: noon + 86_400, isSynchronised: true)
        #expect(store.keptBackups(at: noon + 86_400).allSatisfy { $0.kind == .daily })
    }

    @Test("A store that gives its files back lets the next one open them")
    func closed() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { $0.people[0].name = "Ada" }
        store.close()
        let next = try scratch.open()
        #expect(next.household.people[0].name == "Ada")
        #expect(throws: (any Error).self) { try store.change { $0.people[0].name = "Grace" } }
        next.flush()
        #expect(LastKnown.read(directory: scratch.path)?.people[0].name == "Ada")
    }

    @Test("Why a restore did not happen is told until one happens")
    func fault() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        #expect(store.restoreFault == nil)
        HouseholdStore.noteRestoreFault("The disk is full.", in: scratch.path)
        #expect(store.restoreFault == "The disk is full.")
        HouseholdStore.noteRestoreFault(nil, in: scratch.path)
        #expect(store.restoreFault == nil)
    }
}
