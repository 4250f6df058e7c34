import Directory
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Policy
import Store

/// `/check` and `/check/around`: whether a device asks here, and what can get around it.
struct CheckRoutes: Sendable {
    let desk: Desk
    let arrivals: Arrivals
    let checks: CheckBook
    let trust: TrustRoutes

    private var network: NetworkFacts { arrivals.network }

    /// What a one-time name is loaded for.
    static let imagePath = "/check/seen"

    /// Makes the browser load names that nobody asked for before, so that DNS sees which address asks for them. Open to
    /// every device, signed in or not.
    func checkPage(_ request: Request, _ visit: Visit) async throws -> Response {
        try await check(request, visit, result: "/check/result")
    }

    /// The same check, for what this device can get around.
    func checkAroundPage(_ request: Request, _ visit: Visit) async throws -> Response {
        guard offersAround(visit) else { return desk.back(to: "/check") }
        return try await check(request, visit, result: "/check/around/result")
    }

    /// Not where a child's rules hold, without the passcode: the page lists the ways around the rules.
    private func offersAround(_ visit: Visit) -> Bool {
        let household = desk.store.household
        let holders = household.device(of: visit).map { household.holders(of: $0) } ?? household.holdersOfNew
        let isChilds = holders.people.contains { household[person: $0]?.role == .child }
        return visit.login != nil || !isChilds
    }

    private func check(_ request: Request, _ visit: Visit, result: String) async throws -> Response {
        await network.lookForLoops()
        let id = checks.begin(
            for: visit.address, isSecure: visit.isSecure, hasProxy: visit.through?.gap == .stranger)
        let port = URL(string: desk.configuration.address)?.port.map { ":\($0)" } ?? ""
        let hosts = ["", "4.", "6."].map {
            "http://\($0)\(id).check.\(desk.configuration.ownNames().name)\(port)"
        }
        let shown = CheckPage(
            next: "\(result)?id=\(id)", images: hosts.map { $0 + Self.imagePath },
            address: visit.address,
            pointing: PointHere(request, desk.configuration, network))
        var response = try desk.page(shown, request, visit)
        response.headers[.contentSecurityPolicy] = SecurityHeaders.policy(images: hosts)
        return response
    }

    /// Notes that an address loaded a one-time name; over TLS, the load was for `/trust`.
    func checkImage(_ request: Request, _ visit: Visit) throws -> Response {
        guard let name = request.host.flatMap(desk.configuration.ownNames().checkName) else {
            throw PageError(.notFound)
        }
        checks.note(
            load: .init(id: name.id, family: name.family, address: visit.address),
            hasProxy: visit.through?.gap == .stranger)
        if visit.isSecure { try trust.noteTrust(of: name.id, loadedFrom: visit.address) }
        return Response(
            status: .ok,
            headers: [.contentType: "image/svg+xml", .crossOriginResourcePolicy: "cross-origin"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(
                    string: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>")))
    }

    /// The cause in words. Anybody with the check's id may see it: it is only about that device.
    func checkResult(_ request: Request, _ visit: Visit) async throws -> Response {
        let now = desk.clock.now()
        let id = request.uri.queryParameters["id"].map(String.init) ?? ""
        guard let entry = checks.entry(id) else { return desk.back(to: "/check") }
        let household = desk.household(at: now)
        let loops = await network.loops()
        let pointing = PointHere(request, desk.configuration, network)
        let evidence = evidence(entry, ClientSystem(request), visit, household, loops: loops, at: now)
        if !pointing.isTrial, !pointing.isOff { note(evidence, household, at: now) }
        let shown = CheckResultPage(
            evidence.finding(), id: id, address: entry.address, loops: loops, pointing: pointing,
            device: household.device(of: visit), offersAround: offersAround(visit))
        return try desk.page(shown, request, visit)
    }

    /// What the checked device can get around, and what to do about it. Anybody with the id may see it, as with
    /// `checkResult`.
    func aroundResult(_ request: Request, _ visit: Visit) async throws -> Response {
        let now = desk.clock.now()
        let id = request.uri.queryParameters["id"].map(String.init) ?? ""
        guard offersAround(visit), let entry = checks.entry(id) else {
            return desk.back(to: "/check/around")
        }
        let system = ClientSystem(request)
        let loops = await network.loops()
        let household = desk.household(at: now)
        let shown = AroundPage(
            evidence(entry, system, visit, household, loops: loops, at: now), system: system,
            pointing: PointHere(request, desk.configuration, network), loops: loops)
        return try desk.page(shown, request, visit)
    }

    /// Another server that answers a child's device is told to the adults.
    private func note(_ evidence: SetupCheck.Evidence, _ household: Household, at now: Date) {
        guard let device = arrivals.device(at: evidence.address, in: household) else { return }
        if let kind = evidence.wayOut {
            desk.store.note(kind, on: device.id, at: now)
        } else if evidence.finding().causes == [.works] {
            desk.store.mend(.secondServer, on: device.id, at: now)
        }
    }

    private func evidence(
        _ entry: CheckBook.Entry, _ system: ClientSystem, _ visit: Visit, _ household: Household,
        loops: [String], at now: Date
    ) -> SetupCheck.Evidence {
        let routers = network.routers()
        var evidence = SetupCheck.Evidence(address: entry.address)
        let siblings = arrivals.siblings(of: entry.address, household)
            .union(
                Set(entry.loads.map(\.address)).union([visit.address]).subtracting(routers)
                    .filter(network.isAtHome))
        func asked(_ addresses: Set<String>) -> Bool {
            household.devices.contains {
                !addresses.isDisjoint(with: $0.addresses)
                    && now.timeIntervalSince($0.lastSeen) < SetupCheck.lifetime
            }
        }
        let own = siblings.union([entry.address])
        evidence.siblings = siblings
        evidence.routers = routers.subtracting(network.own())
        evidence.isAtHome = network.isAtHome(entry.address)
        evidence.system = system.forCheck
        let device = arrivals.device(at: entry.address, in: household)
        let hardware =
            IPAddress(entry.address).flatMap { network.neighbours()[$0]?.text }
            ?? device?.hardwareAddress
        let named = [hardware, device.map { IPAddress(device: $0.id.rawValue).text }].compactMap { $0 }
        evidence.questions = Set(
            entry.questions.map { question in
                named.reduce(question) { $0.own(to: entry.address, having: $1) }
            })
        evidence.loaded = Set(entry.loads.map(\.family))
        evidence.signs = checks.signs(of: own.union(named))
        evidence.asksHere = asked(own)
        evidence.routerAsksHere = asked(evidence.routers)
        evidence.hasIPv6 = network.hasIPv6() || own.contains { $0.contains(":") }
        evidence.hasLoop = !loops.isEmpty
        evidence.isSecure = entry.isSecure
        evidence.hasProxy = entry.hasProxy
        evidence.isEnrolled = device?.isSomebodys ?? false
        evidence.isGateway = network.isGateway
        return evidence
    }
}
