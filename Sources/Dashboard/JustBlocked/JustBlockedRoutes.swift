import Hummingbird
import Pages
import Policy
import Store

/// `/just-blocked`: the names that were blocked in the last ten minutes.
struct JustBlockedRoutes: Sendable {
    let desk: Desk
    let justBlocked: NamesJustBlocked

    /// Without a login, only a confirmed asking device's own names; with one, also those of devices whose use the asker
    /// may see.
    func justBlockedPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit, evenUnconfirmed: true)
        let enrolled = asker.household.devices.filter { $0.person != nil }
        let shown = enrolled.filter(asker.seesBlocked)
        let own = asker.device?.id
        let devices = shown.filter { $0.id == own } + shown.filter { $0.id != own }
        let page = JustBlockedPage(
            devices: devices, thisDevice: own, household: asker.household,
            catalog: desk.wholeCatalog(asker.household), hiddenReason: asker.reasonToHideOwn,
            hidesOthers: asker.isSignedIn && enrolled.contains { $0.id != own && !asker.seesBlocked($0) },
            canAsk: !asker.isSignedIn && asker.device?.isConfirmed == true
                && asker.household.canAsk(asker.person.id),
            zone: asker.zone
        ) { device in device.person.map { justBlocked(device.id, $0) } ?? [] }
        return try desk.page(page, for: asker)
    }

    /// Adds the app or the domain to what is allowed in sessions from now on.
    func allowFromNextSession(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let app = reading.optional("app").flatMap { $0.isEmpty ? nil : $0 }
        let domain = reading.optional("domain").flatMap { $0.isEmpty ? nil : $0 }
        if (app == nil) == (domain == nil) { reading.refuse("", "Choose one app or one domain.") }
        try reading.finish()
        try desk.command { household, log, now in
            try household.allowFromNextSession(
                asker.person.id, app: app, domain: domain, catalog: desk.catalog)
            log.note(.ruleChanged, asker.person.id, at: now, "Allowed apps: one added")
        }
        return desk.back(to: "/just-blocked", for: asker, done: .allowed)
    }
}

extension Asker {
    /// Whether the device is the asking one and confirmed; with a login, also if it belongs to a child or the only
    /// person.
    func seesBlocked(_ other: Device) -> Bool {
        if other.id == device?.id { return other.isConfirmed }
        guard isTrusted, let owner = other.person.flatMap({ household[person: $0] }) else { return false }
        return seesUsage(of: owner)
    }

    fileprivate var reasonToHideOwn: String? {
        guard let device, device.person != nil, !device.isConfirmed else { return nil }
        return
            "This device is not confirmed yet. Log in on it once to see what was blocked."
    }
}
