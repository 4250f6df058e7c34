import Foundation
import Testing

@testable import Policy

/// A window that ends after midnight belongs to the day on which it begins; 2026-11-20 is a Friday.
@Suite struct WindowsPastMidnightTests {
    private let film = window("23:00", "01:00", "Film", days: [.fri])

    private func status(
        _ windows: [TimeWindow], _ instant: String, _ name: String = "UTC",
        except exceptions: [DateException] = []
    ) -> AntiRot.Status {
        AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: windows)
            .status(at: at(instant), in: zone(name), except: exceptions)
    }

    private func open(until instant: String?) -> AntiRot.Status {
        AntiRot.Status(isBlocked: false, until: instant.map(at), overrideEnd: nil)
    }

    private func exception(_ date: String, _ instead: DateException.Instead) -> DateException {
        DateException(id: UUID(), first: day(date), last: day(date), instead: instead)
    }

    @Test(
        "UR-015: Friday's 23:00 to 01:00 is open until one on Saturday, and on no other night",
        arguments: [
            ("2026-11-20T22:59:59Z", true), ("2026-11-20T23:00:00Z", false), ("2026-11-20T23:59:30Z", false),
            ("2026-11-21T00:00:00Z", false), ("2026-11-21T00:59:59Z", false), ("2026-11-21T01:00:00Z", true),
            ("2026-11-21T23:30:00Z", true), ("2026-11-20T00:30:00Z", true), ("2026-11-22T00:30:00Z", true),
        ])
    func belongsToItsFirstDay(_ now: String, _ isBlocked: Bool) {
        let found = status([film], now)
        #expect(found.isBlocked == isBlocked)
        if !isBlocked { #expect(found.until == at("2026-11-21T01:00:00Z")) }
    }

    @Test("Until midnight and from midnight on leave no minute between them")
    func touches() {
        let two = [window("22:00", "00:00"), window("00:00", "01:00")]
        #expect(status(two, "2026-11-20T23:59:59Z") == open(until: "2026-11-21T01:00:00Z"))
        #expect(two[0].times == "22:00–24:00")
        #expect(two[0].times(in: .twelveHours).replacing("\u{A0}", with: " ") == "10:00 PM–12:00 AM")
    }

    @Test("What is always open has no end")
    func alwaysOpen() {
        let all = [window("00:00", "12:00"), window("12:00", "00:00")]
        #expect(status(all, "2026-11-20T12:00:00Z") == open(until: nil))
        let holiday = exception("2026-11-21", .nothing)
        #expect(status(all, "2026-11-20T12:00:00Z", except: [holiday]) == open(until: nil))
        #expect(
            status([], "2026-11-21T12:00:00Z", except: [holiday]) == open(until: "2026-11-22T00:00:00Z"))
    }

    @Test(
        "A-14: over nights of 23 and 25 hours, the date line and the year's end",
        arguments: [
            // Berlin skips 02:00 to 03:00.
            ("Europe/Berlin", "23:00", "02:30", "2026-03-28T23:30:00Z", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "23:00", "03:30", "2026-03-28T23:30:00Z", "2026-03-29T01:30:00Z"),
            // Berlin shows 02:00 to 03:00 twice: the first counts.
            ("Europe/Berlin", "23:00", "02:30", "2026-10-24T22:30:00Z", "2026-10-25T00:30:00Z"),
            ("Europe/Berlin", "23:00", "03:30", "2026-10-25T01:15:00Z", "2026-10-25T02:30:00Z"),
            // Havana shows 00:00 to 01:00 twice.
            ("America/Havana", "23:00", "00:30", "2026-11-01T04:15:00Z", "2026-11-01T04:30:00Z"),
            // Apia skips a day: the window of the 30th begins and ends on the 31st.
            ("Pacific/Apia", "23:00", "01:00", "2011-12-30T09:30:00Z", "2011-12-30T11:00:00Z"),
            ("UTC", "23:00", "01:00", "2026-12-31T23:30:00Z", "2027-01-01T01:00:00Z"),
        ])
    func clockChanges(_ zone: String, _ start: String, _ end: String, _ now: String, _ until: String) {
        #expect(status([window(start, end)], now, zone) == open(until: until))
    }

    @Test(
        "A gap that began in an hour which the clock shows twice goes on in the log",
        arguments: [
            "2026-10-25T00:30:00Z", "2026-10-25T01:15:00Z", "2026-10-25T01:30:00Z",
        ])
    func goesOnInTheLog(_ now: String) {
        var household = home(zone: "Europe/Berlin")
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok"]), windows: [window("23:00", "02:30")])
        #expect(household.jobs(at: at(now)).map(\.name) == ["blocked-period-0"])
    }

    @Test("An exception moves the windows that begin on its date, and no window of the evening before")
    func exceptions() {
        let saturday = [exception("2026-11-21", .weekday(.mon))]
        #expect(
            status([film], "2026-11-21T00:30:00Z", except: saturday) == open(until: "2026-11-21T01:00:00Z"))
        let friday = [exception("2026-11-20", .weekday(.mon))]
        #expect(status([film], "2026-11-21T00:30:00Z", except: friday).isBlocked)
        let thursday = [exception("2026-11-19", .weekday(.fri))]
        #expect(
            status([film], "2026-11-20T00:30:00Z", except: thursday) == open(until: "2026-11-20T01:00:00Z"))
    }

    @Test("A block begins when the window that ended last ended, whatever day that belongs to")
    func since() {
        var household = home()
        let early = window("00:00", "00:30", days: [.mon])
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok"]), windows: [early, film])
        household.people[0].dateExceptions = [exception("2026-11-21", .weekday(.mon))]
        let blocks = household.evaluate(at: at("2026-11-21T05:00:00Z"))[me]?.blocks
        #expect(blocks?.first?.since == at("2026-11-21T01:00:00Z"))
    }

    @Test("Blocked periods leave out what the evening before leaves open")
    func periods() {
        func periods(_ windows: [TimeWindow], _ day: Weekday) -> [String] {
            WindowSet(id: nil, restricted: AppSelection(apps: ["tiktok"]), windows: windows).blockedPeriods(
                on: day
            )
            .map { "\($0.start)→\($0.end) \($0.endMinute)" }
        }
        #expect(periods([film], .fri) == ["00:00→23:00 1380"])
        #expect(periods([film], .sat) == ["01:00→23:59 1440"])
        #expect(periods([window("23:59", "06:00")], .tue) == ["06:00→23:59 1439"])
        #expect(periods([window("22:00", "00:00")], .tue) == ["00:00→22:00 1320"])
    }

    @Test("It overlaps with what is open on the next morning, also from Sunday to Monday")
    func overlaps() {
        #expect(film.overlaps(window("00:30", "02:00", days: [.sat])))
        #expect(window("00:30", "02:00", days: [.sat]).overlaps(film))
        #expect(!film.overlaps(window("00:30", "02:00", days: [.fri])))
        #expect(!film.overlaps(window("01:00", "02:00")))
        #expect(window("23:00", "01:00", days: [.sun]).overlaps(window("00:00", "00:01", days: [.mon])))
        #expect(film.overlaps(window("22:00", "23:30", days: [.fri])))
    }

    @Test("It loosens what was shut in the same minutes, and nothing that two windows had open")
    func loosens() {
        var kim = Person(
            id: kid, name: "Kim",
            antiRot: AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: []), looseningDelay: 24)
        func loosens(_ old: [TimeWindow], _ new: [TimeWindow]) -> Bool {
            kim.antiRot.windows = old
            return kim.loosens(.windows(new))
        }
        let whole = [window("23:00", "01:00")]
        #expect(loosens([window("23:00", "23:59"), window("00:00", "01:00")], whole))
        #expect(!loosens([window("23:00", "00:00"), window("00:00", "01:00")], whole))
        #expect(!loosens(whole, [window("23:00", "00:00"), window("00:00", "01:00")]))
        #expect(loosens([film], [window("23:00", "01:00", days: [.sat])]))
        #expect(loosens([film], [window("00:00", "01:00", days: [.fri])]))
        #expect(!loosens([film], [window("00:00", "01:00", days: [.sat])]))
        kim.antiRot.windows = [film]
        #expect(!kim.loosens(.dateException(exception("2026-11-20", .weekday(.mon)))))
        #expect(kim.loosens(.dateException(exception("2026-11-19", .weekday(.fri)))))
        kim.dateExceptions = [exception("2026-11-20", .weekday(.mon))]
        #expect(kim.loosens(.removeDateException(kim.dateExceptions[0].id)))
    }
}
