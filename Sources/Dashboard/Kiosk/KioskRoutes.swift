import Hummingbird
import Pages
import Policy

/// `/kiosk`: the bedside display.
struct KioskRoutes: Sendable {
    let desk: Desk

    /// The bedside display (A-20); also without a login for the asking device's person.
    func kiosk(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let brightness = request.uri.queryParameters["brightness"].flatMap {
            FormReading.wholeNumber(String($0))
        }
        let verdict = asker.household.evaluate(at: asker.now)[asker.person.id]
        let person = asker.namesPerson ? "person=\(asker.person.id.rawValue)&" : ""
        let snapshot = desk.feed.snapshot
        let isOn = request.uri.queryParameters["limits"] == "on" && asker.seesUsage
        let limits =
            isOn
            ? KioskPage.Limits(
                of: asker.person, in: asker.household, catalog: snapshot.catalog, usage: snapshot.usage,
                now: asker.now) : nil
        let shown = KioskPage(
            session: asker.person.running(at: asker.now),
            nextStart: asker.isSignedIn ? verdict?.nextStart : nil, bedtime: verdict?.nextStart,
            brightness: brightness, now: asker.now, zone: asker.zone,
            overrideEndsAt: asker.person.antiRot.override.end(at: asker.now), limits: limits,
            code: phoneCode(asker),
            query: { "/kiosk?\(person)brightness=\($0)\($1 ? "&limits=on" : "")" })
        return try desk.page(shown, for: asker)
    }

    /// Nil once a device besides this display is somebody's and has asked. Everybody sees a display, so its code carries
    /// no invitation.
    private func phoneCode(_ asker: Asker) -> PhoneCode? {
        let isSetUp = asker.household.devices.contains {
            $0.person != nil && $0.id != asker.device?.id && $0.lastSeen > Device.neverAsked
        }
        return isSetUp ? nil : PhoneCode(server: desk.configuration.address)
    }
}
