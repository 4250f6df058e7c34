import Foundation
import HTTPTypes
import Hummingbird
import Moving
import NIOCore
import Pages
import Policy
import Store

/// `/settings/import`: a file of AdGuard Home or Pi-hole, both lists of it, and taking what is ticked.
struct ImportRoutes: Sendable {
    let desk: Desk
    private let read: @Sendable (Data) async -> Result<ForeignHousehold, ForeignFault>
    private let files = ForeignHouseholds()

    /// - Parameter read: reads a file that somebody chose.
    init(desk: Desk, read: @escaping @Sendable (Data) async -> Result<ForeignHousehold, ForeignFault>) {
        self.desk = desk
        self.read = read
    }

    /// The first page, or with `file` the lists of what was read.
    func importPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        guard let name = request.uri.queryParameters["file"] else {
            return try desk.page(ImportPage(), for: asker)
        }
        guard let (id, foreign) = file(String(name)) else { return try gone(asker) }
        return try lists(asker, id, foreign, choice: nil)
    }

    /// Reads an uploaded file; nothing of the household changes.
    func readFile(_ request: Request, _ visit: Visit) async throws -> Response {
        let upload: Upload
        do {
            upload = try await desk.upload(request, visit, upTo: ForeignFile.maximum)
        } catch is NIOTooManyBytesError {
            let asker = try desk.asker(request, visit)
            return try refused(asker, .tooLarge, .contentTooLarge)
        }
        let asker = try desk.asker(request, visit, upload.fields)
        guard let file = upload.file, !file.isEmpty else { return try refused(asker, .empty) }
        switch await read(file) {
        case .failure(let fault): return try refused(asker, fault)
        case .success(let foreign):
            let id = files.keep(foreign, at: desk.uptime())
            return desk.back(to: "/settings/import", for: asker, query: "file=\(id.uuidString)")
        }
    }

    /// Takes what is ticked, or draws the lists anew with the owners that were chosen.
    func take(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        guard let (id, foreign) = file(reading.optional("file") ?? "") else { return try gone(asker) }
        let isLook = reading.optional("step") == "look"
        let choice = Self.choice(&reading, foreign, asker.household)
        do { try reading.finish() } catch {
            let reason = error.reasons.values.sorted().first
            return try lists(asker, id, foreign, choice: choice, refused: reason)
        }
        if isLook { return try lists(asker, id, foreign, choice: choice) }
        let plan = asker.household.importPlan(of: foreign, choice: choice, catalog: desk.catalog)
        do {
            let numbers = try desk.store.newNumbers(for: plan)
            try desk.command { household, log, now in
                try household.take(
                    household.importPlan(of: foreign, choice: choice, catalog: desk.catalog),
                    catalog: desk.catalog, numbers: numbers, newID: UUID.init, at: now)
                log.note(.ruleChanged, nil, at: now, "Moved in from \(foreign.source.name)")
            }
        } catch let refusal as Refusal {
            return try lists(
                asker, id, foreign, choice: choice, refused: refusal.message,
                status: refusal.isAboutInput ? .unprocessableContent : .conflict)
        }
        files.forget(id)
        return desk.back(to: "/settings/import", for: asker, done: .movedIn)
    }

    private static func choice(
        _ reading: inout FormReading, _ foreign: ForeignHousehold, _ household: Household
    ) -> ImportPlan.Choice {
        var choice = ImportPlan.Choice(
            clients: Set(reading.many("take").compactMap { Int($0) }),
            adults: Set(
                zip(reading.many("new"), reading.many("role")).filter { $1 == "adult" }.map(\.0)))
        for index in foreign.clients.indices {
            guard let value = reading.optional("owner-\(index)") else { continue }
            if let owner = ImportOwner.owner(value, in: household) {
                choice.owners[index] = owner
            } else {
                reading.refuse("owner-\(index)", "This person is no longer here. Choose again.")
            }
        }
        return choice
    }

    private func file(_ name: String) -> (id: UUID, household: ForeignHousehold)? {
        guard let id = UUID(uuidString: name) else { return nil }
        return files.household(id, at: desk.uptime()).map { (id, $0) }
    }

    private func lists(
        _ asker: Asker, _ id: UUID, _ foreign: ForeignHousehold, choice: ImportPlan.Choice?,
        refused: String? = nil, status: HTTPResponse.Status? = nil
    ) throws -> Response {
        let proposed = asker.household.importPlan(of: foreign, catalog: desk.catalog)
        let plan = choice.map {
            asker.household.importPlan(of: foreign, choice: $0, catalog: desk.catalog)
        }
        let shown = ImportPage(
            plan ?? proposed, proposed: proposed, file: id.uuidString, household: asker.household,
            catalog: desk.catalog, refused: refused)
        return try desk.page(
            shown, for: asker, status: status ?? (refused == nil ? .ok : .unprocessableContent))
    }

    private func refused(
        _ asker: Asker, _ fault: ForeignFault, _ status: HTTPResponse.Status = .unprocessableContent
    ) throws -> Response {
        try desk.page(ImportPage(error: fault.description), for: asker, status: status)
    }

    private func gone(_ asker: Asker) throws -> Response {
        try desk.page(
            ImportPage(error: "What was read of the file is forgotten after an hour. Choose the file again."),
            for: asker, status: .unprocessableContent)
    }
}
