import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// TH-014: the household edits the shield's suggestions.
@Suite struct SuggestionsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "suggestions-\(UUID().uuidString)")

    private func visit(_ test: @escaping @Sendable (Guest) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TestHouse(suggestionsIn: folder.path()).visit { try await test($0.signedIn()) }
    }

    @Test("Nobody edits them without a login")
    func login() async throws {
        try await TestHouse().visit { guest in
            let page = try await guest.get("/suggestions")
            #expect(page.status == .seeOther)
            let saved = try await guest.post("/suggestions", [("tasks", "a")])
            #expect(saved.status == .seeOther)
        }
    }

    @Test("Saved, shown again, and the shipped ones brought back with a way to undo it")
    func saves() async throws {
        try await visit { owner in
            let first = try await owner.get("/suggestions").text
            #expect(first.contains("Look out of the window") && first.contains("2 suggestions."))
            #expect(!first.contains("/suggestions/restore"))
            let saved = try await owner.post(
                "/suggestions", [("tasks", "Run (5 min)\r\n\r\n<b>Sing</b>\r\n")])
            #expect(saved.location == "/suggestions?done=saved")
            let page = try await owner.get("/suggestions").text
            #expect(page.contains("Run (5 min)\n&lt;b&gt;Sing&lt;/b&gt;</textarea>"))
            #expect(try await owner.post("/suggestions/restore").location == "/suggestions")
            let restored = try await owner.get("/suggestions").text
            #expect(restored.contains("Look out of the window") && restored.contains("Undo"))
            #expect(try await owner.post("/suggestions/undo").location == "/suggestions")
            #expect(try await owner.get("/suggestions").text.contains("Run (5 min)"))
        }
    }

    @Test("A list that cannot be used comes back as it was typed, with the reason")
    func refuses() async throws {
        try await visit { owner in
            let long = String(repeating: "a", count: 121)
            for (typed, reason) in [
                ("", "Write at least one suggestion."), ("ok\n\(long)", "Suggestion 2 is too long."),
                ("x (0 min)", "takes 1 to 120 minutes"),
                (Array(repeating: "a", count: 301).joined(separator: "\n"), "at most 300"),
            ] {
                let answer = try await owner.post("/suggestions", [("tasks", typed)])
                #expect(answer.status == .unprocessableContent)
                #expect(answer.text.contains(reason))
                #expect(typed.isEmpty || answer.text.contains(typed))
            }
            #expect(try await owner.get("/suggestions").text.contains("Look out of the window"))
            let strange = try await owner.post("/suggestions", [("tasks", "a"), ("more", "b")])
            #expect(strange.status == .unprocessableContent)
            #expect(
                try await owner.post("/suggestions", [("tasks", "a")], csrf: "wrong").status == .forbidden)
        }
    }

    @Test("A long list fits, also when it is edited")
    func longList() async throws {
        try await visit { owner in
            let lines = (1...300).map { "Suggestion number \($0), of some length, for a rainy afternoon" }
            let answer = try await owner.post("/suggestions", [("tasks", lines.joined(separator: "\r\n"))])
            #expect(answer.status == .seeOther)
            #expect(try await owner.get("/suggestions").text.contains("300 suggestions."))
        }
    }

    @Test("A broken file is told on the page, and the shipped ones are used")
    func broken() async throws {
        try await visit { owner in
            try Data("[".utf8).write(to: folder.appending(path: "suggested_tasks.json"))
            let page = try await owner.get("/suggestions").text
            #expect(page.contains("suggested_tasks.json has an error"))
            #expect(page.contains("Look out of the window"))
        }
    }

    @Test("The preview shows every layer's look, with buttons that do nothing")
    func preview() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for (layer, words) in [
                ("sleep", "Sleep Mode Active"), ("windows", "Open Anti-Rot"), ("limits", "I&#39;ll do it"),
                ("focus", "Focus"),
            ] {
                let page = try await owner.get("/shield?name=tiktok.com&layer=\(layer)")
                #expect(page.status == .ok)
                #expect(page.text.contains(words) || page.text.contains("I'll do it"), "\(layer)")
                #expect(!page.text.contains("<form"))
            }
            #expect(try await owner.get("/shield?name=tiktok.com&layer=x").status == .unprocessableContent)
            #expect(try await owner.get("/shield?name=tiktok.com").status == .notFound)
        }
    }
}
