import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Pages
import Policy
import Store

extension FocusHistoryRoutes {
    /// The history as CSV.
    func focusCSV(_ request: Request, _ visit: Visit) throws -> Response {
        let sessions = try desk.store.allFocusSessions(of: try desk.asker(request, visit).person.id)
        return Self.download(
            Data(SessionsCSV.text(sessions).utf8), "text/csv; charset=utf-8", "focus-history.csv")
    }

    /// `sessions.json` in the original app's format.
    func sessionsFile(_ request: Request, _ visit: Visit) throws -> Response {
        let sessions = try desk.store.allFocusSessions(of: try desk.asker(request, visit).person.id)
        return Self.download(try SessionsFile.data(sessions), "application/json", "sessions.json")
    }

    /// `timer-state.json` with its four keys.
    func timerStateFile(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let state = TimerState(asker.person.focus.timer, at: asker.now)
        return Self.download(state.file, "application/json", "timer-state.json")
    }

    /// Imports either file, recognised by its content. It imports all or nothing, and removes nothing.
    func importFocus(_ request: Request, _ visit: Visit) async throws -> Response {
        let upload: Upload
        do {
            upload = try await desk.upload(request, visit, upTo: FocusHistoryPage.maximumImport)
        } catch is NIOTooManyBytesError {
            let asker = try desk.asker(request, visit)
            return try focusHistory(
                asker,
                importError: PageError(
                    .contentTooLarge, "The file is larger than \(FocusHistoryPage.maximumImportText)."))
        }
        let asker = try desk.asker(request, visit, upload.fields)
        do {
            guard let file = upload.file, !file.isEmpty else {
                throw PageError(.unprocessableContent, "Choose a file first.")
            }
            return try importFile(file, for: asker)
        } catch let error as PageError {
            return try focusHistory(asker, importError: error)
        } catch let refusal as Refusal {
            let status: HTTPResponse.Status = refusal.isAboutInput ? .unprocessableContent : .conflict
            return try focusHistory(asker, importError: PageError(status, Self.reason(refusal)))
        }
    }

    private func importFile(_ file: Data, for asker: Asker) throws -> Response {
        // `timer-state.json` is one object, `sessions.json` a list.
        if file.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") {
            let state = try TimerState(file: file)
            try desk.command { household, _, _ in try household.importTimerState(asker.person.id, state) }
            return desk.back(to: "/focus", for: asker, done: .saved)
        }
        let sessions = try SessionsFile.sessions(file)
        let added = try desk.store.addFocusSessions(sessions, of: asker.person.id)
        return desk.back(
            to: "/focus/history", for: asker, query: "added=\(added)&known=\(sessions.count - added)")
    }

    private static func reason(_ refusal: Refusal) -> String {
        refusal == .focusRunning
            ? "A session is under way here. Stop it first, or it would be lost." : refusal.message
    }

    /// The result of an import, from the numbers in the address.
    static func importNotice(added: Int, known: Int) -> PageContext.Notice {
        let new = added == 1 ? "1 session was added." : "\(added) sessions were added."
        let old = known == 0 ? "" : known == 1 ? " 1 was here already." : " \(known) were here already."
        return PageContext.Notice(.done, new + old)
    }

    private static func download(_ data: Data, _ type: String, _ name: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .contentDisposition: "attachment; filename=\"\(name)\""],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }
}
