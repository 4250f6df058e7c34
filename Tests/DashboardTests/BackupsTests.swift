import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Policy
import Store
import Synchronization
import Testing

/// A backup is looked at, and restored with the passcode.
@Suite struct BackupsTests {
    /// A house with files, and what it was asked to restore.
    private final class Shelf: Sendable {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("si-\(UUID())").path
        let restored = Mutex<[KeptBackup]>([])

        func house(machines: HouseMachines? = nil) throws -> TestHouse {
            try TestHouse(
                machines: machines, keptIn: folder,
                restore: { backup in self.restored.withLock { $0.append(backup) } })
        }

        var asked: [KeptBackup] { restored.withLock { $0 } }

        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    private static func upload(_ file: Data, _ guest: Guest) async throws -> (
        status: Int, text: String, to: String?
    ) {
        let body = [
            "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(guest.csrf ?? "")\r\n",
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.sqlite\"\r\n\r\n",
        ].joined()
        let answer = try await guest.postBytes(
            "/settings/backups", Data(body.utf8) + file + Data("\r\n--x--\r\n".utf8),
            type: "multipart/form-data; boundary=x")
        return (answer.status.code, answer.text, answer.location)
    }

    @Test("A backup is previewed, and restored with the passcode only")
    func restored() async throws {
        let shelf = Shelf()
        let house = try shelf.house()
        try house.store.backUpDaily(at: house.clock.now, isSynchronised: true)
        try house.store.change { $0.people[0].name = "Ada <b>" }
        try await house.visit { guest in
            #expect(try await guest.get("/settings/backups").status == .seeOther)
            let owner = try guest.signedIn()
            #expect(try await owner.get("/settings").text.contains("href=\"/settings/backups\""))
            let list = try await owner.get("/settings/backups").text
            #expect(list.contains("Made by itself") && list.contains("look?file=2026-11-20.sqlite"))
            let look = try await owner.get("/settings/backups/look?file=2026-11-20.sqlite").text
            #expect(look.contains("<bdi>Ada &lt;b&gt;</bdi>") && look.contains("As then: Name"))
            #expect(house.store.household.people[0].name == "Ada <b>", "looking changes nothing")
            let fields = [("file", "2026-11-20.sqlite")]
            #expect(try await owner.post("/settings/backups/restore", fields).status == .unprocessableContent)
            let wrong = try await owner.post(
                "/settings/backups/restore", fields + [("passcode", "wrong one")])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("not the passcode"))
            #expect(shelf.asked.isEmpty)
            let right = try await owner.post(
                "/settings/backups/restore", fields + [("passcode", TestHouse.passcode)])
            #expect(right.status == .ok && right.text.contains("begins anew"))
            #expect(shelf.asked.map(\.name) == ["2026-11-20.sqlite"])
        }
    }

    @Test("A file that was downloaded is looked at like a backup that is here")
    func chosen() async throws {
        let shelf = Shelf()
        let house = try shelf.house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let file = Data(try await owner.get("/settings/backup").body.readableBytesView)
            let answer = try await Self.upload(file, owner)
            #expect(answer.status == 303)
            let look = try await owner.get(try #require(answer.to)).text
            #expect(look.contains("The file that you chose") && look.contains("are the same as now"))
            #expect(try await !owner.get("/settings/backups").text.contains("The file that you chose"))
        }
    }

    @Test(
        "A bad file is refused in one sentence, and nothing of it stays",
        arguments: [
            ("Dear diary", "This is no backup of Sleep Inducer."),
            ("SQLite format 3\0 and more", "no backup"), ("", "Choose a backup."),
        ])
    func bad(content: String, words: String) async throws {
        let shelf = Shelf()
        let house = try shelf.house()
        try await house.visit { guest in
            let before = try FileManager.default.contentsOfDirectory(atPath: shelf.folder).sorted()
            let answer = try await Self.upload(Data(content.utf8), try guest.signedIn())
            #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
            #expect(!answer.text.contains(shelf.folder), "a reader knows no paths")
            #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.folder).sorted() == before)
        }
    }

    @Test("A strict session, a delay and a second machine refuse it, each with its reason")
    func refused() async throws {
        let shelf = Shelf()
        let house = try shelf.house()
        try house.store.backUpDaily(at: house.clock.now, isSynchronised: true)
        try house.start(.strict)
        let path = "/settings/backups/look?file=2026-11-20.sqlite"
        let fields = [("file", "2026-11-20.sqlite"), ("passcode", TestHouse.passcode)]
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get(path).text.contains("strict session running"))
            #expect(try await owner.post("/settings/backups/restore", fields).status == .conflict)
        }
        let two = Shelf()
        let cluster = try two.house(
            machines: HouseMachines([
                HouseMachine(
                    node: 0, name: "cellar", version: "1", role: .leads, since: TestHouse.evening,
                    isThisOne: true)
            ]))
        try cluster.store.backUpDaily(at: cluster.clock.now, isSynchronised: true)
        try await cluster.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get(path).text.contains("cluster leave"))
            #expect(try await owner.post("/settings/backups/restore", fields).status == .conflict)
        }
        #expect(shelf.asked.isEmpty && two.asked.isEmpty)
    }

    @Test("Only a backup that is in the list can be named")
    func names() async throws {
        try await Shelf().house().visit { guest in
            let owner = try guest.signedIn()
            for name in ["", "nothing.sqlite", "../sleep-inducer.sqlite", "sleep-inducer.sqlite"] {
                #expect(try await owner.get("/settings/backups/look?file=\(name)").status == .notFound)
            }
        }
    }
}
