import Foundation
import Testing

@testable import Policy

/// TH-014: the list is read strictly, a choice stays for a while, and people edit lines.
@Suite struct SuggestedTasksTests {
    private func read(_ text: String) throws(SuggestedTasks.Fault) -> SuggestedTasks {
        try SuggestedTasks(json: Data(text.utf8))
    }

    @Test("Titles, objects, or both")
    func forms() throws {
        let tasks = try read(
            #"["Drink", {"title": "Stretch", "minutes": 2, "when": ["night"]}, {"title": "Breathe", "more": 1}]"#
        )
        #expect(
            tasks.list == [
                SuggestedTask(title: "Drink"), SuggestedTask(title: "Stretch", minutes: 2, when: [.night]),
                SuggestedTask(title: "Breathe"),
            ])
    }

    @Test(
        "Anything but a list is refused, with a reason",
        arguments: [
            ("", SuggestedTasks.Fault.unreadable), ("{}", .unreadable), ("[1]", .unreadable),
            ("[[]]", .unreadable),
            (#"[{"titel": "x"}]"#, .unreadable), (#"["a"#, .unreadable), ("[]", .empty),
            (#"["", " \n"]"#, .empty),
            (#"[{"title": "x", "when": ["noon"]}]"#, .unreadable),
            (#"[{"title": "x", "minutes": "5"}]"#, .unreadable),
            (#"["ok", {"title": "x", "minutes": 0}]"#, .minutesOutOfRange(2)),
            (#"[{"title": "x", "minutes": 1000000000}]"#, .minutesOutOfRange(1)),
        ])
    func faults(text: String, fault: SuggestedTasks.Fault) {
        #expect(throws: fault) { try read(text) }
        #expect(!fault.message.isEmpty)
    }

    @Test("Bounds on length, count and bytes")
    func bounds() {
        let long = String(repeating: "a", count: 121)
        #expect(throws: SuggestedTasks.Fault.titleTooLong(1)) { try read("[\"\(long)\"]") }
        // One character can consist of thousands of scalars.
        let zalgo = "a" + String(repeating: "\u{301}", count: 3000)
        #expect(throws: SuggestedTasks.Fault.titleTooLong(1)) { try read("[\"\(zalgo)\"]") }
        let many = "[" + Array(repeating: "\"a\"", count: 301).joined(separator: ",") + "]"
        #expect(throws: SuggestedTasks.Fault.tooMany) { try read(many) }
        let spaces = "[\"a\"]" + String(repeating: " ", count: 70_000)
        #expect(throws: SuggestedTasks.Fault.tooLarge) { try read(spaces) }
        #expect(throws: SuggestedTasks.Fault.unreadable) {
            try read(String(repeating: "[", count: 60_000))
        }
    }

    @Test("Controls and marks that change the direction of text are removed")
    func hostile() throws {
        let tasks = try read(#"["\u202Eevil\u0000 <b>"]"#)
        #expect(tasks.list[0].title == "evil <b>")
    }

    @Test("Lines: details of a suggestion are in brackets")
    func lines() throws {
        let text = "Drink\r\n\r\n  Stretch ( 2 min, evening )  \nCall Ada (my sister)\nRun (5min)\nX (night)"
        let tasks = try SuggestedTasks(lines: text)
        #expect(
            tasks.list == [
                SuggestedTask(title: "Drink"), SuggestedTask(title: "Stretch", minutes: 2, when: [.evening]),
                SuggestedTask(title: "Call Ada (my sister)"), SuggestedTask(title: "Run", minutes: 5),
                SuggestedTask(title: "X", when: [.night]),
            ])
        #expect(try SuggestedTasks(lines: tasks.lines) == tasks)
        #expect(try SuggestedTasks(json: tasks.json) == tasks)
    }

    @Test(
        "A refusal names the line's number",
        arguments: [
            ("ok\n\n(5 min)", SuggestedTasks.Fault.titleMissing(3)), ("a (0 min)", .minutesOutOfRange(1)),
            ("\n\n", .empty), ("a (999999999999999999999 min)", nil),
        ])
    func lineFaults(text: String, fault: SuggestedTasks.Fault?) throws {
        if let fault {
            #expect(throws: fault) { try SuggestedTasks(lines: text) }
        } else {
            #expect(try SuggestedTasks(lines: text).list[0].minutes == nil)
        }
    }

    @Test("The choice fits the time of day, follows from its number, and reaches every entry")
    func choice() throws {
        let tasks = try read(
            #"["a", "b", "c", {"title": "n", "when": ["night"]}, {"title": "m", "when": ["morning"]}]"#)
        #expect(tasks.choice(for: 7, at: .day) == tasks.choice(for: 7, at: .day))
        let byDay = Set((0..<200).map { tasks.choice(for: $0, at: .day).title })
        #expect(byDay == ["a", "b", "c"])
        #expect(Set((0..<200).map { tasks.choice(for: $0, at: .night).title }) == ["a", "b", "c", "n"])
        let onlyNight = try read(#"[{"title": "n", "when": ["night"]}]"#)
        #expect(onlyNight.choice(for: .max, at: .morning).title == "n")
    }

    @Test("The shipped list is long, its titles are short, and every part of the day has some")
    func shipped() throws {
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Catalog/suggestions/suggested_tasks.json")
        let tasks = try SuggestedTasks(json: Data(contentsOf: file))
        #expect(tasks.list.count >= 40)
        #expect(Set(tasks.list.map(\.title)).count == tasks.list.count)
        #expect(tasks.list.allSatisfy { $0.title.count <= 60 })
        for part in SuggestedTask.PartOfDay.allCases {
            #expect(tasks.list.count { $0.when.isEmpty || $0.when.contains(part) } >= 15)
        }
    }
}
