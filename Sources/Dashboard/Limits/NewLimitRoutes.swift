import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy

extension LimitsRoutes {
    /// The first step: finding a target.
    func newLimitPage(_ request: Request, _ visit: Visit) throws -> Response {
        try newLimit(
            try desk.asker(request, visit), view: PickerView(request), typed: Self.typed(request))
    }

    /// The second step: giving it minutes. A target that has a limit already leads to the page that changes it.
    func chosenLimitPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let id = visit.parameters.get("target") ?? ""
        let target: LimitTarget
        switch visit.parameters.get("kind") {
        case "app": target = .app(id)
        case "category": target = .category(id)
        default: throw PageError(.notFound)
        }
        if asker.person.limits.list.contains(where: { $0.target == target }) {
            return desk.back(to: "/limits", for: asker)
        }
        return try newLimit(asker, target: target, typed: Self.typed(request))
    }

    /// Input from before the target was chosen.
    private static func typed(_ request: Request) -> LimitFields.Typed {
        LimitForm.typed(
            FormFields(
                pairs: request.uri.queryParameters.map { (String($0.key), String($0.value.prefix(40))) }))
    }

    /// The page, with errors beside their fields.
    func newLimit(
        _ asker: Asker, view: PickerView = PickerView(), target: LimitTarget? = nil,
        typed: LimitFields.Typed = [:],
        rejected: FormRejected? = nil
    ) throws -> Response {
        let catalog = desk.wholeCatalog(asker.household)
        var errors = rejected?.forPage ?? [:]
        let isKnown = target.map(catalog.has) ?? true
        if !isKnown, let target { errors["target"] = Refusal.unknownIDs([target.id]).message }
        let shown = NewLimitPage(
            catalog: catalog, limits: asker.person.limits, view: view, target: isKnown ? target : nil,
            typed: typed, errors: errors)
        return try desk.page(
            shown, for: asker, status: rejected?.status ?? (errors.isEmpty ? .ok : .unprocessableContent),
            notices: rejected?.notices ?? [])
    }
}
