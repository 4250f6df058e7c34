import Foundation
import Policy
import Testing

@testable import Store

/// A process that changes the household as fast as it can is killed at a random instant, fifty times. Every change that
/// it acknowledged must be there afterwards.
@Suite(.serialized) struct KillTests {
    static let variable = "STORE_TESTS_CHILD"
    static let child = ProcessInfo.processInfo.environment[variable]

    @Test(.enabled(if: child == nil)) func noAcknowledgedChangeIsLost() throws {
        let scratch = Scratch()
        try makeDirectory(scratch.path)
        let acknowledged = scratch.path + "/acknowledged"
        try Data().write(to: URL(fileURLWithPath: acknowledged))
        var last = 0
        for round in 1...50 {
            let before = try #require(fileSize(acknowledged))
            let process = try start(in: scratch.path)
            while process.isRunning, try #require(fileSize(acknowledged)) == before { usleep(1_000) }
            usleep(.random(in: 0...60_000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal, "round \(round)")

            let promised = try #require(Self.lastLine(of: acknowledged), "round \(round)")
            #expect(promised > last)
            let store = try scratch.open()
            #expect(store.opening == Opening(rules: .stored), "round \(round)")
            let found = try #require(Int(store.household.people[0].name))
            // The last change may have been committed without an acknowledgement.
            #expect(found == promised || found == promised + 1, "round \(round)")
            #expect(store.household == Self.household(found).withHistoryWritten)
            // One session for every change, in the same transaction as its timer.
            #expect(try store.allFocusSessions(of: me).count == found, "round \(round)")
            #expect(store.latestFocusSession(of: me) == FocusHistoryTests.session(found), "round \(round)")
            #expect(try store.log(of: me, limit: 1).first?.detail == "\(found)")
            last = found
        }
        #expect(last > 100)
    }

    /// The process that is killed: this test in its own run.
    @Test(.enabled(if: child != nil)) func acknowledgeChanges() throws {
        let directory = try #require(Self.child)
        let store = try HouseholdStore(directory: directory, now: noon, log: .silent)
        let file = open(directory + "/acknowledged", O_WRONLY | O_APPEND)
        var number = Int(store.household.people[0].name) ?? 0
        while true {
            number += 1
            try store.change { household, log in
                household = Self.household(number)
                log.append(LogEntry(.ruleChanged, person: me, at: noon, detail: "\(number)"))
            }
            let line = Array("\(number)\n".utf8)
            guard write(file, line, line.count) == line.count else { return }
        }
    }

    /// A different household for every number, with rows in all tables of rules.
    private static func household(_ number: Int) -> Household {
        var person = Person(id: me, name: "\(number)", allowed: AppSelection(apps: ["app-\(number % 7)"]))
        if number % 3 > 0 {
            person.session = .example(
                minutes: number % 400 + 1, strictness: .strict,
                id: UUID(uuidString: "00000000-0000-0000-0000-" + String(100_000_000_000 + number))!)
        }
        if number % 2 > 0 { person.schedule = .default }
        fill(&person, number)
        return Household(
            timeZone: number % 5 > 0 ? "UTC" : "Europe/Berlin", people: [person],
            devices: (1...Int64(number % 4 + 1)).map { .example($0, person: me) })
    }

    private static func fill(_ person: inout Person, _ number: Int) {
        let at = noon.addingTimeInterval(Double(number))
        let target = LimitTarget.app("app-\(number % 7)")
        person.antiRot = AntiRot(
            restricted: number % 4 > 0 ? AppSelection(apps: ["app-\(number % 7)"]) : nil,
            windows: number % 5 > 0 ? Array(repeating: LayersTests.lunch, count: number % 2) : nil,
            override: OverrideState(lastUsedDate: at, overrideExpiresAt: number % 3 > 0 ? at : nil))
        var limit = LayersTests.limit
        limit.minutes = number % 1_440 + 1
        person.limits = Limits(
            list: [limit], resetHour: number % 24,
            probations: [Probation(LayersTests.limit.id, target: target, at: at)],
            reached: [
                ReachedLimit(
                    target: target, day: CivilDate(year: 2026, month: 11, day: number % 30 + 1),
                    use: TargetUse(day: number, week: number), since: at)
            ])
        person.focus = Focus(
            timer: FocusTimer(Preset(minutes: number % 1_440 + 1)!), shieldsWhileFocusing: number % 2 > 0,
            finished: [FocusHistoryTests.session(number)])
        person.pending = [
            PendingChange(id: LayersTests.limit.id, due: at, change: .resetHour(number % 24))
        ]
    }

    private func start(in directory: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--testing-library", "swift-testing", "--filter", "KillTests/acknowledgeChanges",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: directory]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func lastLine(of path: String) -> Int? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").last.flatMap { Int($0) }
    }
}
