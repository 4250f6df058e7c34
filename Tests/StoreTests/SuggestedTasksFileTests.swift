import Foundation
import Policy
import Testing

@testable import Store

/// TH-014: the household's own list wins while it can be read, and no file in its place breaks the shield.
@Suite struct SuggestedTasksFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tasks-\(UUID().uuidString)")
    private let shipped = try! SuggestedTasks([SuggestedTask(title: "Shipped")])

    private var path: String { folder.path() + "/suggested_tasks.json" }

    private func open() throws -> SuggestedTasksFile {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return SuggestedTasksFile(directory: folder.path(), shipped: shipped)
    }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    private func titles(_ file: SuggestedTasksFile) -> [String] {
        file.refresh()
        return file.current.tasks.list.map(\.title)
    }

    @Test("Without a file the shipped ones; a file that comes, changes and goes is noticed")
    func comesAndGoes() throws {
        let file = try open()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(titles(file) == ["Shipped"] && !file.current.isOwn)
        try write(#"["Mine"]"#)
        #expect(titles(file) == ["Mine"] && file.current.isOwn)
        try write(#"[{"title": "Mine, longer"}]"#)
        #expect(titles(file) == ["Mine, longer"])
        try FileManager.default.removeItem(atPath: path)
        #expect(titles(file) == ["Shipped"] && !file.current.isOwn)
    }

    @Test(
        "Broken, empty, huge",
        arguments: [
            ("", SuggestedTasks.Fault.unreadable), ("[", .unreadable), ("[]", .empty),
            ("\u{0}\u{0}", .unreadable),
            (String(repeating: " ", count: 65_537), .tooLarge),
        ])
    func broken(text: String, fault: SuggestedTasks.Fault) throws {
        let file = try open()
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(text)
        #expect(titles(file) == ["Shipped"])
        #expect(file.current.fault == fault && !file.current.isOwn)
        try write(#"["Mended"]"#)
        #expect(titles(file) == ["Mended"] && file.current.fault == nil)
    }

    @Test("A directory or a pipe in its place is not waited for")
    func noFile() throws {
        let file = try open()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(mkfifo(path, 0o600) == 0)
        #expect(titles(file) == ["Shipped"] && file.current.fault == .unreadable)
        unlink(path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(titles(file) == ["Shipped"] && file.current.fault == .unreadable)
    }

    @Test("Saved, laid aside and taken back")
    func saveRestoreUndo() throws {
        let file = try open()
        defer { try? FileManager.default.removeItem(at: folder) }
        let mine = try SuggestedTasks([SuggestedTask(title: "Mine", minutes: 5, when: [.night])])
        try file.save(mine)
        #expect(file.current.tasks == mine)
        #expect(!file.canTakeBack)
        try file.restoreShipped()
        #expect(titles(file) == ["Shipped"] && file.canTakeBack)
        try file.takeBack()
        #expect(file.current.tasks == mine && !file.canTakeBack)
        try file.restoreShipped()
        try file.save(try SuggestedTasks([SuggestedTask(title: "New")]))
        #expect(!file.canTakeBack)
        try file.takeBack()
        #expect(titles(file) == ["New"])
    }

    @Test("A folder that cannot be written refuses in words and keeps what holds")
    func unwritable() throws {
        let file = SuggestedTasksFile(directory: "/proc/no-such-folder", shipped: shipped)
        #expect(throws: StoreError.self) { try file.save(shipped) }
        #expect(throws: StoreError.self) {
            try SuggestedTasksFile(directory: nil, shipped: shipped).save(shipped)
        }
        #expect(file.current.tasks == shipped)
    }
}
