import Foundation
import Hummingbird
package import Pages
import Policy
import Store

/// A form that came after its login had ended: asked again, never repeated by itself.
package struct KeptFormPage: Page {
    package static let template = "kept-form"

    package let title = "Not done yet"
    /// When it was sent, as `22:19`.
    let sentAt: String
    let kept: ErrorPage.Kept
    /// The page on which it was.
    let back: String

    package init(sentAt: String, kept: ErrorPage.Kept) {
        self.sentAt = sentAt
        self.kept = kept
        back = kept.page ?? "/"
    }
}

/// `/kept`: the form that a browser sent without a login.
struct KeptFormRoutes: Sendable {
    let desk: Desk

    func keptForm(_ request: Request, _ visit: Visit) throws -> Response {
        let keys = KeptFormCookie.values(in: request, visit)
        guard let form = desk.keptForms.shown(keys, at: desk.uptime()) else { return desk.back(to: "/") }
        guard let fields = form.fields else { return desk.back(to: form.page ?? "/") }
        let clock = ClockFace(zone: desk.store.household.foundationZone)
        let page = KeptFormPage(
            sentAt: clock.time(form.at),
            kept: ErrorPage.Kept(action: form.action, fields: fields, page: form.page ?? "/"))
        return try desk.page(page, request, visit)
    }
}
