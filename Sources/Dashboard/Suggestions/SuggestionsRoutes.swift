import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/suggestions`: what the shield suggests instead of an app.
struct SuggestionsRoutes: Sendable {
    let desk: Desk
    let file: SuggestedTasksFile

    func suggestionsPage(_ request: Request, _ visit: Visit) throws -> Response {
        file.refresh()
        return try suggestions(try desk.asker(request, visit))
    }

    /// A refused list stays in the form, with the reason beside it.
    func saveSuggestions(_ request: Request, _ visit: Visit) async throws -> Response {
        let fields = try await desk.form(request, visit, maximumValue: SuggestedTasks.maximumBytes)
        let asker = try desk.asker(request, visit, fields)
        var reading = FormReading(fields)
        let typed = reading.optional("tasks") ?? ""
        var tasks: SuggestedTasks?
        do throws(SuggestedTasks.Fault) { tasks = try SuggestedTasks(lines: typed) } catch {
            reading.refuse("tasks", error.message)
        }
        do throws(FormRejected) { try reading.finish() } catch {
            return try suggestions(asker, typed: typed, rejected: error)
        }
        if let tasks { try file.save(tasks) }
        return desk.back(to: "/suggestions", for: asker, done: .saved)
    }

    /// Restores the shipped list; this can be undone.
    func restoreSuggestions(_ request: Request, _ visit: Visit) async throws -> Response {
        try await moveSuggestions(request, visit) { try $0.restoreShipped() }
    }

    func takeBackSuggestions(_ request: Request, _ visit: Visit) async throws -> Response {
        try await moveSuggestions(request, visit) { try $0.takeBack() }
    }

    private func moveSuggestions(
        _ request: Request, _ visit: Visit, _ move: (SuggestedTasksFile) throws -> Void
    ) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        try move(file)
        return desk.back(to: "/suggestions", for: asker)
    }

    private func suggestions(
        _ asker: Asker, typed: String? = nil, rejected: FormRejected? = nil
    ) throws -> Response {
        let state = file.current
        let shown = SuggestionsPage(
            tasks: state.tasks, isOwn: state.isOwn || state.fault != nil,
            canTakeBack: file.canTakeBack, typed: typed,
            error: rejected?.forPage["tasks"])
        let broken = state.fault.map { fault in
            PageContext.Notice(
                .warning,
                "The file \(SuggestedTasksFile.fileName) has an error, so our suggestions are in use. \(fault.message)"
            )
        }
        return try desk.page(
            shown, for: asker, status: rejected == nil ? .ok : .unprocessableContent,
            notices: (rejected?.notices ?? []) + [broken].compactMap { $0 })
    }
}
