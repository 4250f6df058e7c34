import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/kiosk`: the bedside display, and the one button on it.
struct KioskRoutes: Sendable {
    let desk: Desk
    let household: HouseholdRoutes

    /// The bedside display; also without a login for the asking device's person. `press` is the id of the last
    /// "Good night" on it.
    func kiosk(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let id = request.queryID("press")
        let press = id.map(household.presses.presses)?.first { $0.person == asker.person.id }
        let isOwn = try press.map { $0.presser == (try desk.presser(asker, visit)).key } ?? false
        return try kiosk(asker, request, press: isOwn ? press : nil)
    }

    /// "Good night": the same as "Bedtime now" in the household view.
    func goodnight(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        let press: OneTapPress
        do {
            let presser = try desk.presser(asker, visit)
            press = try household.press(.bedtime, on: asker.person.id, by: presser)
        } catch let refusal as Refusal {
            return try kiosk(asker, request, refusal: refusal)
        }
        return Self.back(request, "press=\(press.id.uuidString)")
    }

    /// Undoes a "Good night" that this display pressed at most 8 seconds ago.
    func undo(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let id = UUID(uuidString: reading.optional("press") ?? "")
        try reading.finish()
        do {
            try household.takeBack(id, for: asker.person.id, by: try desk.presser(asker, visit))
        } catch let refusal
            as Refusal
        {
            return try kiosk(asker, request, refusal: refusal)
        }
        return Self.back(request)
    }

    /// To the display, after a refused press.
    func display(_ request: Request, _ visit: Visit) -> Response { Self.back(request) }

    /// 303 to the display as it was, with its brightness and its face.
    private static func back(_ request: Request, _ more: String? = nil) -> Response {
        let kept = ["person", "brightness", "limits"].compactMap { name in
            request.uri.queryParameters[Substring(name)].map { "\(name)=\(String($0).queryEscaped)" }
        }
        let query = (kept + [more].compactMap { $0 }).joined(separator: "&")
        return Response(status: .seeOther, headers: [.location: "/kiosk?\(query)"])
    }

    private func kiosk(
        _ asker: Asker, _ request: Request, press: OneTapPress? = nil, refusal: Refusal? = nil
    ) throws -> Response {
        let brightness = request.uri.queryParameters["brightness"].flatMap {
            FormReading.wholeNumber(String($0))
        }
        let verdict = asker.household.evaluate(at: asker.now)[asker.person.id]
        let person = asker.namesPerson ? "person=\(asker.person.id.rawValue)&" : ""
        let isOn = request.uri.queryParameters["limits"] == "on" && asker.seesUsage
        let zone = asker.household.zone
        let shown = KioskPage(
            session: asker.person.running(at: asker.now),
            until: asker.person.asleepUntil(at: asker.now, in: zone),
            pauseEnd: asker.person.pauseEnd(at: asker.now, in: zone),
            nextStart: asker.isSignedIn ? verdict?.nextStart : nil, bedtime: verdict?.nextStart,
            brightness: brightness, now: asker.now, zone: asker.zone,
            overrideEndsAt: asker.person.antiRot.override.end(at: asker.now),
            morning: asker.seesUsage
                ? try desk.store.morning(of: asker.person, in: zone, at: asker.now) : nil,
            day: isOn ? try day(of: asker) : nil,
            touch: KioskPage.Touch(
                offersGoodnight: asker.person.offersGoodnight(at: asker.now, in: zone), press: press,
                refusal: refusal),
            code: phoneCode(asker),
            query: { "/kiosk?\(person)brightness=\($0)\($1 ? "&limits=on" : "")" })
        return try desk.page(shown, for: asker, status: refusal == nil ? .ok : .conflict)
    }

    private func day(of asker: Asker) throws -> KioskPage.Day {
        let snapshot = desk.feed.snapshot
        return KioskPage.Day(
            of: asker.person, in: asker.household, catalog: snapshot.catalog, usage: snapshot.usage,
            rhythm: try desk.rhythm(
                of: asker.person, in: asker.household, on: asker.household.zone.date(of: asker.now),
                at: asker.now),
            now: asker.now)
    }

    /// Nil once a device other than this display belongs to somebody and has asked. Everybody sees a display, so its
    /// code carries no invitation.
    private func phoneCode(_ asker: Asker) -> PhoneCode? {
        let isSetUp = asker.household.devices.contains {
            $0.person != nil && $0.id != asker.device?.id && $0.lastSeen > Device.neverAsked
        }
        return isSetUp ? nil : PhoneCode(server: desk.pages)
    }
}
