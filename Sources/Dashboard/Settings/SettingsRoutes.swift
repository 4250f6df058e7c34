import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Policy
import Store

/// `/settings`: the household's cards, the passcode, tokens and backups.
struct SettingsRoutes: Sendable {
    let desk: Desk
    let passcodes: PasscodeDesk

    func settingsPage(_ request: Request, _ visit: Visit) throws -> Response {
        try settings(try desk.asker(request, visit))
    }

    /// The default mode, saved immediately; a running session keeps its own.
    func saveSettings(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saving(request, visit, field: "defaultStrictness") { reading, _ in
            let strictness = reading.choice(
                "defaultStrictness", as: StrictnessMode.self, "Choose Strict or Flexible.")
            return { household, asker, _ in
                try household.setDefaultStrictness(asker.person.id, to: strictness ?? .flexible)
            }
        }
    }

    func saveTimeZone(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saving(request, visit, field: "timeZone") { reading, _ in
            let zone = reading.required("timeZone", Refusal.unknownZone.message) ?? ""
            return { household, _, now in try household.setTimeZone(zone, at: now) }
        }
    }

    func saveOffersHelp(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saving(request, visit, field: "offersHelp") { reading, _ in
            let isOffered = reading.isOn("offersHelp")
            return { household, _, _ in household.offersHelp = isOffered }
        }
    }

    /// How pages write times.
    func saveClock(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saving(request, visit, field: "clock") { reading, _ in
            let clock = reading.choice(
                "clock", as: ClockSetting.self, "Choose Automatic, 12-hour or 24-hour.")
            return { household, _, _ in household.clock = clock ?? .automatic }
        }
    }

    /// The public names that may lead into the home, one on each line.
    func savePrivateAnswers(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saving(request, visit, field: "names") { reading, _ in
            let names = (reading.optional("names") ?? "").split(whereSeparator: \.isNewline).map(String.init)
            return { household, _, _ in try household.setPrivateAnswers(names) }
        }
    }

    /// Chooses the person to whom new devices belong, or `children`; an empty `newDevices` leaves them unblocked.
    func saveNewDevices(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saving(request, visit, field: "newDevices") { reading, _ in
            let chosen = reading.optional("newDevices")
            guard chosen != "children" else {
                return { household, _, _ in household.letNewDevicesFollowChildren() }
            }
            let owner = try PersonID(named: chosen)
            return { household, _, _ in try household.setNewDevices(belongTo: owner) }
        }
    }

    /// The whole database, as a backup.
    func downloadBackup(_ request: Request, _ visit: Visit) throws -> Response {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(
            "sleep-inducer-\(UUID().uuidString).sqlite"
        ).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try desk.store.backup(to: path)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw PageError(.serviceUnavailable)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/vnd.sqlite3",
                .contentDisposition: "attachment; filename=\"sleep-inducer.sqlite\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// The page of the asker's address, with errors beside their fields.
    func settings(
        _ asker: Asker, newToken: String? = nil, rejected: FormRejected? = nil,
        typed: SettingsPage.Typed? = nil, status: HTTPResponse.Status? = nil
    ) throws -> Response {
        let tokens = desk.store.tokens.map { token in
            SettingsPage.Token(
                id: String(token.id), name: token.name,
                note: "Made on \(asker.household.zone.date(of: token.createdAt)).")
        }
        let shown = SettingsPage(
            person: asker.person, household: asker.household, zones: CivilZone.known, tokens: tokens,
            newToken: newToken, version: desk.configuration.version, errors: rejected?.forPage ?? [:],
            typed: typed)
        let status = status ?? (rejected == nil ? .ok : .unprocessableContent)
        let notices = (rejected?.notices ?? []) + openingNotices
        guard let part = SettingsPart(path: asker.path) else {
            return try desk.page(shown, for: asker, status: status, notices: notices)
        }
        return try desk.page(SettingPage(part, of: shown), for: asker, status: status, notices: notices)
    }

    /// The page that has the form of the asker's address.
    static func page(of asker: Asker) -> String { SettingsPart(path: asker.path)?.path ?? "/settings" }

    /// What was wrong with the database at the start, if anything was.
    private var openingNotices: [PageContext.Notice] {
        // While the disk refuses changes, every page already has a notice.
        guard desk.store.diskNotice == nil else { return [] }
        return desk.store.opening.notice.map { [PageContext.Notice(.warning, $0)] } ?? []
    }

    /// The change of one card.
    typealias SettingsRule = (inout Household, Asker, Date) throws -> Void

    /// Reads one card's form, runs its rule, and leads back to the page. The log finds most changed rules by itself;
    /// `notes` is what it cannot find.
    func saving(
        _ request: Request, _ visit: Visit, field: String, done: DoneNotice = .saved, notes: String? = nil,
        at place: String? = nil,
        _ read: (inout FormReading, Asker) throws -> SettingsRule
    ) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        do {
            let rule = try read(&reading, asker)
            try reading.finish()
            try desk.command { household, log, now in
                try rule(&household, asker, now)
                if let notes { log.note(.ruleChanged, nil, at: now, notes) }
            }
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try settings(
                asker, rejected: FormRejected([field: refusal.message]),
                typed: SettingsPage.Typed(
                    name: fields.first("name") ?? fields.first("names"),
                    role: fields.first("role").flatMap(Person.Role.init)))
        } catch let rejected as FormRejected {
            return try settings(asker, rejected: rejected)
        }
        return desk.back(to: Self.page(of: asker), for: asker, done: done, at: place)
    }
}
