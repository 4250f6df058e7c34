import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

extension MyRulesRoutes {
    /// `/` on a child's confirmed device without a login: the child's own page, with nothing of anybody else.
    func myHome(
        _ asker: Asker, draft: AskDraft = AskDraft(), status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let present = desk.present(at: asker.now)
        let shown = MyHomePage(
            person: asker.person, household: asker.household, catalog: present.catalog, usage: present.usage,
            draft: draft, validUntil: present.verdicts[asker.person.id]?.validUntil, now: asker.now)
        return try desk.page(shown, for: asker, status: status)
    }
}

extension Asker {
    /// Whether the asking device is a child's own, confirmed, and nobody logged in on it.
    var isChildAtHome: Bool { !isTrusted && person.role == .child && ownDevice?.isConfirmed == true }
}
