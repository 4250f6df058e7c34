import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// Two parents have the same page open, and both save. Every form that saves stored values is tried with every field.
@Suite struct TwoParentsTests {
    typealias Form = FormsOnPagesTests.Form

    /// A form of a page, and other values for its fields. A field with `nil` is a box that is turned.
    struct Case: Sendable, CustomTestStringConvertible {
        let page: String
        let action: String
        let others: [(name: String, values: [String?])]

        var testDescription: String { "\(page) \(action)" }
    }

    func house() throws -> TestHouse {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let ana = PersonID(rawValue: 2)
        let tablet = Device(
            id: DeviceID(rawValue: 2), name: "Tablet", kind: .tablet, person: ana,
            addresses: ["192.168.1.21"], firstSeen: TestHouse.evening - 86_400,
            lastSeen: TestHouse.evening - 5)
        let house = try TestHouse(
            people: [
                Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: ana, name: "Ana", role: .child),
            ], devices: [tablet], suggestionsIn: folder)
        try house.store.change { household in
            var schedule = RecurringSchedule.default
            (schedule.isEnabled, schedule.start) = (true, TimeOfDay(hour: 22, minute: 0))
            schedule.exceptions = [
                ScheduleException(
                    days: [.sat], start: TimeOfDay(hour: 23, minute: 0), end: TimeOfDay(hour: 8, minute: 0))
            ]
            for person in [PersonID(rawValue: 1), ana] {
                try household.saveSchedule(person, schedule, at: house.clock.now)
            }
            _ = try household.setLimit(
                ana, UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 60), catalog: TestHouse.catalog,
                change: UUID(), at: house.clock.now)
            _ = try household.saveWindow(
                ana,
                TimeWindow(
                    id: Self.window, label: "Lunch", start: TimeOfDay(hour: 12, minute: 0),
                    end: TimeOfDay(hour: 13, minute: 0), days: [.mon, .tue]),
                change: UUID(), at: house.clock.now)
        }
        return house
    }

    func form(_ owner: Guest, _ test: Case) async throws -> Form {
        try form(in: try await owner.get(test.page).text, test.action)
    }

    private func form(in html: String, _ action: String) throws -> Form {
        let forms = FormsOnPagesTests.forms(in: html).filter { form in
            form.action == action && form.fields.contains { $0.0 == "shown" }
        }
        return try #require(forms.first, "\(action) carries nothing of what it showed")
    }

    func send(_ owner: Guest, _ form: Form) async throws -> TestResponse {
        var sender = owner
        sender.csrf = nil
        // Nobody presses the button that adds a person.
        var fields = form.fields.filter { $0.0 != "add" }
        // What a schedule inside its own hours asks is no part of this.
        if form.action == "/schedule" || form.action == "/setup/bedtime" {
            fields.append(("begin", "tomorrow"))
        }
        return try await sender.post(form.action, fields)
    }

    struct Change {
        let name: String
        /// Nil: the box is turned.
        let value: String?

        /// The field with this value, or the box.
        var field: (String, String) {
            let parts = name.split(separator: "=").map(String.init)
            return (parts[0], value ?? (parts.count > 1 ? parts[1] : "on"))
        }
    }

    private static func changes(_ test: Case) -> [(Change, other: Change?)] {
        test.others.map { name, values in
            (
                Change(name: name, value: values[0]),
                values.count > 1 ? Change(name: name, value: values[1]) : nil
            )
        }
    }

    @Test(
        "What only the first changed stays when the second saves something else, or nothing", arguments: cases
    )
    func different(_ test: Case) async throws {
        let changes = Self.changes(test).map(\.0)
        for first in changes {
            for second in changes.map(Optional.some) + [nil] where second?.name != first.name {
                let house = try house()
                try await house.visit { guest in
                    let owner = try guest.signedIn()
                    let page = try await form(owner, test)
                    let one = try await send(owner, page.changing(first))
                    #expect(one.status == .seeOther, "\(first) \(one.text.suffix(600))")
                    let seen = try await form(owner, test)
                    #expect(seen.has(first, unlike: page), "\(first) was not saved")
                    let two = try await send(owner, second.map(page.changing) ?? page)
                    #expect(
                        two.status == .seeOther,
                        "\(first), then \(String(describing: second)) \(two.text.suffix(3000))")
                    let now = try await form(owner, test)
                    #expect(
                        now.has(first, unlike: page), "\(first) was undone by \(String(describing: second))")
                    if let second { #expect(now.has(second, unlike: page), "\(second) was lost") }
                }
            }
        }
    }

    @Test(
        "Where both changed the same, the second sees both values with the input kept, and decides",
        arguments: cases)
    func same(_ test: Case) async throws {
        for (first, other) in Self.changes(test) {
            guard let other else { continue }
            let house = try house()
            try await house.visit { guest in
                let owner = try guest.signedIn()
                let page = try await form(owner, test)
                let again = try await send(owner, page.changing(first))
                #expect(again.status == .seeOther, "\(first)")
                let saved = try await form(owner, test)
                #expect(saved.has(first, unlike: page))
                let same = try await send(owner, page.changing(first))
                #expect(same.status == .seeOther, "both want \(first)")
                let refused = try await send(owner, page.changing(other))
                #expect(refused.status == .conflict, "\(first), then \(other)")
                #expect(refused.text.contains("Meanwhile this was changed to"))
                #expect(
                    try await form(owner, test).has(first, unlike: page),
                    "nothing is stored before they decide")
                let kept = try form(in: refused.text, test.action)
                #expect(kept.has(other, unlike: page), "the input is kept")
                #expect(try await send(owner, kept).status == .seeOther)
                #expect(try await form(owner, test).has(other, unlike: page))
            }
        }
    }

    @Test("A form of a program, which shows nothing, is taken as it is")
    func programs() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let fields = [("name", "Anna"), ("role", "child")]
            #expect(try await owner.post("/settings/people/2", fields).status == .seeOther)
            #expect(try await owner.post("/settings/people/2", [("name", "Ana")]).status == .seeOther)
            #expect(house.store.household.people[1].name == "Ana")
            for odd in ["", " ", "/settings/people", "//elsewhere name=x", "/nowhere name=x", "x name=%zz"] {
                let sent = fields + [("shown", odd)]
                #expect(try await owner.post("/settings/people/2", sent).status == .seeOther, "\(odd)")
            }
        }
    }

    @Test("A form that a login or a token is missing for is refused as before")
    func refused() async throws {
        try await house().visit { guest in
            let fields = [
                ("name", "Anna"), ("role", "child"), ("shown", "/settings/people name=Ana&role=child"),
            ]
            let wrong = try await guest.signedIn().post("/settings/people/2", fields, csrf: "wrong")
            #expect(wrong.status == .forbidden)
            let without = try await guest.post("/settings/people/2", fields)
            #expect(without.status == .seeOther && without.location == "/login")
        }
    }

    @Test("A refused form keeps what its first page showed")
    func refusedFormStillMerges() async throws {
        let house = try house()
        let test = try #require(Self.cases.first { $0.action == "/limits/settings" })
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let page = try await form(owner, test)
            let refused = try await send(owner, page.changing(Change(name: "unlocksPerDay", value: "x")))
            #expect(refused.status == .unprocessableContent)
            _ = try await send(owner, page.changing(Change(name: "resetHour", value: "3")))
            let kept = try form(in: refused.text, test.action)
            let mended = kept.changing(Change(name: "unlocksPerDay", value: "4"))
            #expect(try await send(owner, mended).status == .seeOther)
            let limits = try #require(house.store.household[person: PersonID(rawValue: 2)]?.limits)
            #expect(limits.resetHour == 3 && limits.unlocksPerDay == 4)
        }
    }

    @Test("People and limits that were added meanwhile lose nothing to an older page")
    func added() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let bedtimes = try await form(owner, Self.cases.first { $0.action == "/setup/bedtime" }!)
            let limit = "/limits/new/app/whatsapp?person=2"
            let new = try form(in: try await owner.get(limit).text, "/limits")
            try house.store.change { household in
                let id = PersonID(rawValue: 3)
                try household.addPerson(id, name: "Tom", role: .child, catalog: TestHouse.catalog)
                var schedule = RecurringSchedule.default
                schedule.isEnabled = true
                try household.saveSchedule(id, schedule, at: house.clock.now)
            }
            #expect(try await send(owner, bedtimes).status == .seeOther)
            #expect(house.store.household.people[2].schedule?.isEnabled == true)

            let first = new.changing(Change(name: "minutes", value: "20"))
            #expect(try await send(owner, first).status == .seeOther)
            let second = try await send(owner, new.changing(Change(name: "minutes", value: "90")))
            #expect(second.status == .conflict && second.text.contains("“20”"))
        }
    }
}

extension FormsOnPagesTests.Form {
    /// With another value, or a box turned: `days=mon` names one of several.
    func changing(_ change: TwoParentsTests.Change) -> Self {
        var form = self
        form.fields.removeAll { change.value == nil ? $0 == change.field : $0.0 == change.field.0 }
        if change.value != nil || !fields.contains(where: { $0 == change.field }) {
            form.fields.append(change.field)
        }
        return form
    }

    /// Whether it shows a change of another page, on which a box was turned.
    fileprivate func has(_ change: TwoParentsTests.Change, unlike page: Self) -> Bool {
        let isHere = fields.contains { $0 == change.field }
        return change.value != nil ? isHere : isHere != page.fields.contains { $0 == change.field }
    }
}
