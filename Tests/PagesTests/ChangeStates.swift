import Dashboard
import Foundation
import Pages
import Policy
import Store

extension PageState {
    /// When things change, and goodbye.
    static let changes = [
        PageState(name: "health", page: health(board), context: context(path: "/health")),
        PageState(name: "health-fine", page: health(fine), context: context(path: "/health")),
        PageState(
            name: "health-own",
            page: HealthPage(
                board, devices: [DeviceID(rawValue: 2)], isOwner: false, now: Sample.now, zone: Sample.zone),
            context: context(signedIn: false, path: "/health")),
        PageState(
            name: "goodbye",
            page: GoodbyePage(
                leaving, thisDevice: DeviceID(rawValue: 1), server: "http://192.168.1.5", now: Sample.now),
            context: context(path: "/goodbye", people: 2)),
        PageState(
            name: "goodbye-empty",
            page: GoodbyePage(
                [], thisDevice: nil, server: "http://sleep.home.arpa",
                refusal: Refusal.looseningStrict(of: Sample.hostile).message, now: Sample.now),
            context: context(path: "/goodbye")),
        PageState(
            name: "goodbye-router",
            page: GoodbyePage(
                leaving, thisDevice: nil, isRouter: true, server: "http://192.168.1.5", now: Sample.now),
            context: context(path: "/devices/router")),
        PageState(name: "erase", page: ErasePage(leaving), context: context(path: "/goodbye/erase")),
        PageState(
            name: "erase-refused",
            page: ErasePage([], errors: ["passcode": "This is not the passcode."]),
            context: context(path: "/goodbye/erase")),
        PageState(
            name: "erase-strict",
            page: ErasePage(leaving, refusal: Refusal.looseningStrict(of: Sample.hostile).message),
            context: context(path: "/goodbye/erase")),
        PageState(
            name: "backups", page: BackupsPage([before, daily], now: Sample.now, zone: Sample.zone),
            context: context(path: "/settings/backups", people: 2)),
        PageState(
            name: "backups-refused",
            page: BackupsPage(
                [], error: StoreError.foreign(path: "a").ofBackup, fault: StoreError.diskFull.description,
                now: Sample.now, zone: Sample.zone),
            context: context(path: "/settings/backups")),
        PageState(name: "backup", page: backup(daily), context: context(path: "/settings/backups/look")),
        PageState(
            name: "backup-same",
            page: backup(
                before, household: Sample.household(), errors: ["passcode": "This is not the passcode."]),
            context: context(path: "/settings/backups/restore")),
        PageState(
            name: "backup-strict",
            page: backup(daily, refusal: Refusal.looseningStrict(of: Sample.hostile).message),
            context: context(path: "/settings/backups/look")),
        PageState(
            name: "restoring", page: RestoringPage(), context: context(path: "/settings/backups/restore")),
        PageState(name: "farewell", page: FarewellPage(leaving), context: context(signedIn: false)),
        PageState(name: "farewell-quiet", page: FarewellPage([]), context: context(signedIn: false)),
    ]

    private static let daily = KeptBackup(
        path: "/data/backups/2026-03-12.sqlite", kind: .daily, writtenAt: Sample.now - 86_400)
    private static let before = KeptBackup(
        path: "/data/sleep-inducer.sqlite.before-restore-20260313T201900Z", kind: .beforeRestore,
        writtenAt: Sample.now - 3_600)

    /// By default of a household that differs in a person, a rule and a device.
    private static func backup(
        _ backup: KeptBackup, household: Household? = nil, refusal: String? = nil,
        errors: [String: String] = [:]
    ) -> BackupPage {
        let now = Sample.household()
        var then = now
        then.people[0].defaultStrictness = .strict
        then.people.append(Person(id: PersonID(rawValue: 9), name: Sample.hostile))
        then.devices.removeLast()
        return BackupPage(
            backup, BackupContents(household: household ?? then, lastInstant: Sample.now - 90_000),
            household: now,
            refusal: refusal, errors: errors, now: Sample.now, zone: Sample.zone)
    }

    /// Three notices: one is hidden, and one is about a device with a hostile name.
    static let board: NoticeBoard = {
        var household = Sample.household()
        household.devices[1].person = Sample.me
        household.devices[1].lastSeen = Sample.now - 5 * 86_400
        var board = NoticeBoard()
        _ = board.take(household, facts(free: 120_000_000, isSynchronised: false))
        try! board.putAway("clock", at: Sample.now - 3600)
        return board
    }()

    private static let fine: NoticeBoard = {
        var board = NoticeBoard()
        _ = board.take(Sample.household(devices: []), facts(free: 9_000_000_000, isSynchronised: true))
        return board
    }()

    private static func facts(free: UInt64, isSynchronised: Bool) -> HouseFacts {
        HouseFacts(
            now: Sample.now, runningSince: Sample.now - 86_400,
            disk: .init(free: free, total: 10_000_000_000), isClockSynchronised: isSynchronised,
            backup: .init(latest: CivilDate(year: 2026, month: 3, day: 13)))
    }

    private static let leaving = Sample.household().leaving(
        at: Sample.now, runningSince: Sample.now - 86_400)

    private static func health(_ board: NoticeBoard) -> HealthPage {
        HealthPage(board, devices: [], isOwner: true, now: Sample.now, zone: Sample.zone)
    }
}
