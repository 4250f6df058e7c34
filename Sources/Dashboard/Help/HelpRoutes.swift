import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/help`: calls, messages, maps and health for the asking device.
struct HelpRoutes: Sendable {
    let desk: Desk

    /// Works on every device without a login; it can open Help only on an enrolled one.
    func helpPage(_ request: Request, _ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        let household = desk.household(at: now)
        guard household.offersHelp else { throw PageError(.notFound, Refusal.helpSwitchedOff.message) }
        let device = household.helpDevice(of: visit)
        let present = desk.present(at: now)
        let held = device.map { household.holders(of: $0).blocks(in: present.verdicts) } ?? []
        let isTrying = device.flatMap { household.tryBlock(on: $0, at: now) } != nil
        let isBlocked = isTrying || !held.isEmpty
        let isKnown = device?.isConfirmed == true && device?.id == visit.device
        let owner = isKnown ? device?.person.flatMap { household[person: $0] } : nil
        let catalog = present.catalog
        let shut = owner.map { catalog.shutToHelp(for: $0).map { catalog.app(id: $0)?.name ?? $0 } } ?? []
        let shown = HelpPage(
            device, presses: owner.map { household.helpPresses(of: $0, at: now) } ?? 0,
            isStrict: owner?.isStrict(at: now) ?? false, shut: shut.sorted(), isNothingBlocked: !isBlocked,
            now: now, zone: household.foundationZone)
        return try desk.page(shown, request, visit)
    }

    /// Opens what Help opens on the asking device for 15 minutes, without a passcode. The person's own
    /// log and the morning's summary show each use. Help is for danger, so a page of an older login also opens it.
    func useHelp(_ request: Request, _ visit: Visit) async throws -> Response {
        let fields = try await desk.form(request, visit, checksToken: false)
        var reading = FormReading(fields)
        try reading.finish()
        try desk.command(keeping: .evenInMemory) { household, log, now in
            guard let device = household.helpDevice(of: visit) else { throw Refusal.deviceNotEnrolled }
            try household.useHelp(device.id, isCertain: device.id == visit.device, at: now)
            log.note(.helpUsed, device.person, device.id, at: now)
        }
        return desk.back(to: "/help")
    }
}
