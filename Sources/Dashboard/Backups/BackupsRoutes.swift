import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Policy
import Store

/// `/settings/backups`: what a backup would change, and restoring it with the passcode.
struct BackupsRoutes: Sendable {
    let desk: Desk
    let passcodes: PasscodeDesk
    let condition: any ServerCondition
    /// Restores a backup and begins anew as soon as the answer is sent.
    let restore: @Sendable (KeptBackup) -> Void

    func backupsPage(_ request: Request, _ visit: Visit) throws -> Response {
        try backups(try desk.asker(request, visit))
    }

    /// Keeps the file that somebody chose and leads to its preview.
    func chooseBackup(_ request: Request, _ visit: Visit) async throws -> Response {
        let upload: Upload
        do {
            upload = try await desk.upload(request, visit, upTo: BackupsPage.maximum)
        } catch is NIOTooManyBytesError {
            return try backups(
                try desk.asker(request, visit),
                error: "The file is larger than 32 MB. Restore it on the machine itself.",
                status: .contentTooLarge)
        }
        let asker = try desk.asker(request, visit, upload.fields)
        guard let file = upload.file, !file.isEmpty else {
            return try backups(asker, error: "Choose a backup.", status: .unprocessableContent)
        }
        let backup = try desk.store.keepChosen(file)
        do { _ = try desk.store.contents(of: backup) } catch let error as StoreError {
            desk.store.forgetChosen()
            return try backups(asker, error: error.ofBackup, status: .unprocessableContent)
        }
        return desk.back(to: "/settings/backups/look", for: asker, query: backup.query)
    }

    func look(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try preview(try backup(request.uri.queryParameters["file"].map(String.init), asker), asker)
    }

    /// Restores if the passcode is right and no rule that cannot be loosened now would end.
    func restoreBackup(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let backup = try backup(reading.optional("file"), asker)
        let passcode = reading.required("passcode", "Please give the passcode.") ?? ""
        do { try reading.finish() } catch { return try preview(backup, asker, error) }
        if refusal(asker.household, asker.now) != nil { return try preview(backup, asker, status: .conflict) }
        switch try await passcodes.attempt(passcode, request, visit) {
        case .wait(let wait):
            var response = try preview(
                backup, asker, FormRejected(["passcode": "Too many tries. Wait \(wait) s, then try again."]),
                status: .tooManyRequests)
            response.headers[.retryAfter] = String(wait)
            return response
        case .wrong:
            return try preview(backup, asker, FormRejected(["passcode": "This is not the passcode."]))
        case .right: break
        }
        // Checking the passcode takes a moment, in which a session can begin.
        let now = desk.clock.now()
        if refusal(desk.household(at: now), now) != nil {
            return try preview(backup, asker, status: .conflict)
        }
        restore(backup)
        return try desk.page(RestoringPage(), for: asker)
    }

    private func backup(_ name: String?, _ asker: Asker) throws -> KeptBackup {
        guard let backup = desk.store.keptBackups(at: asker.now).first(where: { $0.name == name }) else {
            throw PageError(.notFound, "This backup is no longer here. Choose another one.")
        }
        return backup
    }

    private func refusal(_ household: Household, _ now: Date) -> String? {
        guard condition.machines == nil else {
            return
                "This household is on several machines. Run sudo sleep-inducer cluster leave on all of them, restore on one, and begin again with cluster start."
        }
        do { try household.guardErasing(at: now) } catch { return error.message }
        return nil
    }

    private func backups(
        _ asker: Asker, error: String? = nil, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let shown = BackupsPage(
            desk.store.keptBackups(at: asker.now), error: error, fault: desk.store.restoreFault,
            now: asker.now,
            zone: asker.zone)
        return try desk.page(shown, for: asker, status: status)
    }

    private func preview(
        _ backup: KeptBackup, _ asker: Asker, _ rejected: FormRejected? = nil,
        status: HTTPResponse.Status? = nil
    ) throws -> Response {
        let contents: BackupContents
        do { contents = try desk.store.contents(of: backup) } catch let error as StoreError {
            return try backups(asker, error: error.ofBackup, status: .unprocessableContent)
        }
        let shown = BackupPage(
            backup, contents, household: asker.household, refusal: refusal(asker.household, asker.now),
            errors: rejected?.forPage ?? [:], now: asker.now, zone: asker.zone)
        return try desk.page(
            shown, for: asker, status: status ?? rejected?.status ?? .ok, notices: rejected?.notices ?? [])
    }
}
