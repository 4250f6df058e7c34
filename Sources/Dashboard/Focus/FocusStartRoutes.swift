import Hummingbird
import Policy

extension FocusRoutes {
    /// A deep link in either spelling, read by the one router of links. It does not change a
    /// running timer, and only a start link does anything.
    func startLink(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let link = request.uri.queryParameters["link"].map { FocusLink(String($0)) }
        guard case .start(let preset) = link ?? FocusLink(request.uri.description),
            !asker.person.focus.timer.isRunning
        else { return desk.back(to: "/focus", for: asker) }
        return try desk.page(FocusStartPage(preset), for: asker)
    }

    /// "MonoFocus Presets": links without state, so it needs no login.
    func presetsWidget(_ request: Request, _ visit: Visit) throws -> Response {
        try desk.page(
            PresetsWidgetPage(person: request.uri.queryParameters["person"].map(String.init)), request, visit)
    }
}
