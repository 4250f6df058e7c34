import Foundation
import Hummingbird
import Pages
import Policy

/// A selection before and after it was saved.
struct PickerChange: Identifiable, Sendable {
    let id = UUID()
    let before: AppSelection
    let after: AppSelection
}

/// The last change of one picker, so that Undo restores exactly what was before: in memory, for two minutes, the last
/// change of each person. The page offers it for 8 seconds.
///
/// If loosening must wait, nothing is offered: a change that acts at once tightened, and undoing it would have to wait
/// too.
struct PickerChanges: Sendable {
    private let changes = RecentlyRemoved<PickerChange>()

    /// Remembers a change; returns the next page's query, nil for a program's.
    func keep(_ change: PickerChange, _ picked: PickedSelection, _ asker: Asker, _ desk: Desk) -> String? {
        guard picked.isFromPage else { return nil }
        changes.keep(change, of: asker.person.id, at: desk.uptime())
        let isSame = change.before == change.after
        return [picked.view.query, isSame ? nil : "undo=\(change.id.uuidString)"].compactMap { $0 }
            .joinedOrNil
    }

    /// The change that the page offers to undo, by the id in its address.
    func offer(_ request: Request, _ asker: Asker, _ desk: Desk) -> PickerUndo? {
        change(request.uri.queryParameters["undo"].map(String.init), asker, desk).map {
            PickerUndo(
                id: $0.id.uuidString, from: $0.before, to: $0.after,
                catalog: desk.wholeCatalog(asker.household)
            )
        }
    }

    /// The change that a form undoes; throws 409 if it is too old.
    func taken(_ fields: FormFields, _ asker: Asker, _ desk: Desk) throws -> PickerChange {
        guard let change = change(fields.first("undo"), asker, desk) else {
            throw PageError(.conflict, "It was saved some time ago. Change it back by hand.")
        }
        return change
    }

    private func change(_ id: String?, _ asker: Asker, _ desk: Desk) -> PickerChange? {
        id.flatMap { UUID(uuidString: $0) }.flatMap {
            changes.item($0, of: asker.person.id, at: desk.uptime())
        }
    }
}

extension PickerView {
    init(_ request: Request) {
        let query = request.uri.queryParameters
        self.init(open: query["open"].map(String.init), find: query["find"].map(String.init))
    }

    init(_ fields: FormFields) { self.init(open: fields.first("open"), find: fields.first("find")) }

    /// `open=social,video&find=tik`; nil for the view that a page shows by itself.
    var query: String? {
        [
            open.map { "open=" + $0.sorted().joined(separator: ",").queryEscaped },
            find.isEmpty ? nil : "find=" + find.queryEscaped,
        ].compactMap { $0 }.joinedOrNil
    }
}

extension [String] {
    fileprivate var joinedOrNil: String? { isEmpty ? nil : joined(separator: "&") }
}
