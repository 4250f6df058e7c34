import Foundation
import Logging
import NIOCore
import Policy
import Store
import Synchronization
import Testing

@testable import DNS
@testable import Enforcement

/// What the loop logs about the jobs that it watches.
@Suite struct MonitorLogTests {
    private static let me = PersonID(rawValue: 1)

    /// Lines such as `Began sleepSession 2026-11-20T20:30:00Z`.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }

        /// The lines since the last call.
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        /// Lines about jobs only. The loop's timer steps beside the test: when the test sets the clock between its
        /// two readings, it says that the clock was set.
        func log(event: LogEvent) {
            guard event.metadata?["job"] != nil else { return }
            let words = ["job", "until"].compactMap { event.metadata?[$0].map { "\($0)" } }
            lines.add((["\(event.message)"] + words).joined(separator: " "))
        }
    }

    @Test("SI-095, SI-106, AR-028, AR-039: the log has what began and ended, by its name, with its end")
    func names() async throws {
        var household = MonitorTests.household()
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok"]),
            windows: [
                TimeWindow(
                    id: UUID(), label: "Lunch", start: TimeOfDay(hour: 12, minute: 0),
                    end: TimeOfDay(hour: 13, minute: 0), days: Set(Weekday.allCases))
            ])
        let (lines, store) = (Lines(), try HouseholdStore.inMemory(household))
        let clock = ManualClock("2026-11-20T10:59:59Z")
        let monitor = Monitor(
            store: store, catalog: CompiledFilterTests.catalog, clock: clock.wall,
            effects: .init(enforce: { _ in }, onChange: { _ in }),
            logger: Logger(label: "test") { _ in Handler(lines: lines) },
            uptime: { .uptimeNanoseconds(UInt64(clock.now.timeIntervalSince1970 * 1e9)) })
        func step(_ instant: String) async -> [String] {
            clock.set(instant)
            await monitor.step()
            return lines.take()
        }
        #expect(await step("2026-11-20T10:59:59Z") == ["Began blocked-period-0 2026-11-20T11:00:00Z"])
        #expect(await step("2026-11-20T11:00:00Z") == ["Ended blocked-period-0"])
        #expect(await step("2026-11-20T12:00:00Z") == ["Began blocked-period-1 2026-11-21T11:00:00Z"])
        #expect(await step("2026-11-20T12:00:01Z") == [], "once")
        try store.change { try $0.activateOverride(Self.me, at: clock.now) }
        #expect(
            await Set(step("2026-11-20T12:00:01Z")) == [
                "Ended blocked-period-1", "Began override 2026-11-20T12:45:01Z",
            ])
        #expect(
            await Set(step("2026-11-20T12:45:01Z")) == [
                "Ended override", "Began blocked-period-1 2026-11-21T11:00:00Z",
            ])
        clock.set("2026-11-20T12:50:01Z")
        try store.change {
            _ = try $0.startSession(
                Self.me, durationMinutes: 30, strictness: .strict, id: UUID(), at: clock.now)
        }
        #expect(await step("2026-11-20T12:50:02Z") == ["Began sleepSession 2026-11-20T13:20:01Z"])
        #expect(await step("2026-11-20T13:20:01Z") == ["Ended sleepSession"])
        #expect(await step("2026-11-20T21:00:00Z") == ["Began nightlySchedule 2026-11-21T06:00:00Z"])
        #expect(
            await Set(step("2026-11-20T23:00:00Z")) == [
                "Ended blocked-period-1", "Began blocked-period-0 2026-11-21T11:00:00Z",
            ], "midnight: another day's first")
    }
}
