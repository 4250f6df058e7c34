import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// Sends every form of every page unchanged: the site must accept what its pages offer.
@Suite struct FormsOnPagesTests {
    struct Form {
        var action: String
        var fields: [(String, String)]
    }

    /// The POST forms of a page, with the fields that a browser would send.
    static func forms(in html: String) -> [Form] {
        html.components(separatedBy: "<form").dropFirst().compactMap { part in
            let form = part.components(separatedBy: "</form>")[0]
            let head = form.prefix { $0 != ">" }
            // A form without a button cannot be sent.
            guard form.contains("<button"), head.contains("method=\"post\""),
                let action = value("action", in: String(head))
            else {
                return nil
            }
            return Form(
                action: action,
                fields: inputs(in: form) + selects(in: form) + areas(in: form) + button(in: form))
        }
    }

    private static func inputs(in form: String) -> [(String, String)] {
        form.matches(of: /<input[^>]*>/).compactMap { match in
            let tag = String(match.output)
            // A field can belong to another form than the one around it.
            guard let name = value("name", in: tag), value("form", in: tag) == nil else { return nil }
            let isChoice = ["checkbox", "radio"].contains(value("type", in: tag))
            if isChoice, !tag.contains(" checked") { return nil }
            return (name, (value("value", in: tag) ?? (isChoice ? "on" : "")).unescaped)
        }
    }

    /// The first button with a name, as if it was pressed.
    private static func button(in form: String) -> [(String, String)] {
        form.matches(of: /<button[^>]*>/).map { String($0.output) }.lazy
            .compactMap { tag in value("name", in: tag).map { ($0, value("value", in: tag) ?? "") } }
            .prefix(1).map { $0 }
    }

    private static func selects(in form: String) -> [(String, String)] {
        form.components(separatedBy: "<select").dropFirst().compactMap { part in
            let select = part.components(separatedBy: "</select>")[0]
            guard let name = value("name", in: String(select.prefix { $0 != ">" })) else { return nil }
            let options = select.matches(of: /<option[^>]*>/).map { String($0.output) }
            let chosen = options.first { $0.contains(" selected") } ?? options.first
            return chosen.map { (name, (value("value", in: $0) ?? "").unescaped) }
        }
    }

    /// As a browser sends them.
    private static func areas(in form: String) -> [(String, String)] {
        form.matches(of: /<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)<\/textarea>/).map {
            (String($0.1), String($0.2).unescaped.replacing("\n", with: "\r\n"))
        }
    }

    private static func value(_ name: String, in tag: String) -> String? {
        guard let start = tag.range(of: " \(name)=\"") else { return nil }
        return String(tag[start.upperBound...].prefix { $0 != "\"" })
    }

    private func house() throws -> TestHouse {
        let house = try TestHouse(people: [
            Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: PersonID(rawValue: 2), name: "Ana"),
        ])
        try house.store.change { household in
            var schedule = RecurringSchedule.default
            schedule.isEnabled = true
            try household.saveSchedule(PersonID(rawValue: 1), schedule, at: house.clock.now)
            try household.addOwnApp(name: "\"Bank\"", domains: ["bank.example"], at: house.clock.now)
        }
        _ = try house.store.createToken(name: "Hub", at: house.clock.now)
        return house
    }

    @Test(
        "Every form of a page is taken as the page sends it",
        arguments: [
            ("/", 1), ("/session", 1), ("/schedule", 1), ("/dates", 1), ("/allowed-apps", 4), ("/devices", 1),
            ("/settings", 1), ("/settings/people", 3), ("/settings/tokens", 2),
            ("/settings/passcode", 2), ("/settings/help", 1), ("/settings/new-devices", 1),
            ("/settings/time-zone", 1), ("/more", 1), ("/help", 1), ("/session?person=2", 1),
            ("/settings?person=2", 1), ("/settings/people?person=2", 3), ("/more?person=2", 1),
        ])
    func forms(_ path: String, _ atLeast: Int) async throws {
        try await house().visit { guest in
            let owner = try guest.signedIn()
            let forms = Self.forms(in: try await owner.get(path).text)
            #expect(forms.count >= atLeast, "\(path) has \(forms.count) forms")
            // Logging out comes last, because it ends the login that the other forms need.
            for form in forms.sorted(by: {
                ($1.action == "/logout" ? 1 : 0) > ($0.action == "/logout" ? 1 : 0)
            }) {
                var sender = owner
                sender.csrf = nil
                let response = try await sender.post(form.action, form.fields)
                let isEmptyName = form.fields.contains { $0.1.isEmpty && ["name", "current"].contains($0.0) }
                let taken: Set<HTTPResponse.Status> =
                    isEmptyName ? [.unprocessableContent] : [.seeOther, .conflict, .ok]
                #expect(taken.contains(response.status), "\(path) → \(form.action) \(form.fields)")
                #expect(!response.text.contains("This form has no field"), "\(path) → \(form.action)")
                if form.action == "/logout" { return }
            }
        }
    }

    @Test("Also of the page of a session that runs", arguments: [StrictnessMode.strict, .flexible])
    func activeSession(_ strictness: StrictnessMode) async throws {
        let house = try house()
        try house.start(strictness)
        try await house.visit { guest in
            var owner = try guest.signedIn()
            let csrf = owner.csrf
            for action in strictness == .strict
                ? ["/logout"] : ["/session/cancel", "/session/keep", "/logout"]
            {
                owner.csrf = csrf
                let page = action == "/logout" ? "/more" : "/"
                let forms = Self.forms(in: try await owner.get(page).text)
                let form = try #require(forms.first { $0.action == action }, "\(action)")
                owner.csrf = nil
                #expect(try await owner.post(action, form.fields).status == .seeOther)
            }
        }
    }
}

extension String {
    var unescaped: String {
        replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}
