import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Policy

extension HomeSite {
    /// What a one-time name is loaded for.
    static let checkImagePath = "/check/seen"

    /// Makes the browser load names that nobody ever asked for; who asks for them is then seen by DNS. For every
    /// device, signed in or not.
    func checkPage(_ request: Request, _ visit: Visit) async throws -> Response {
        try await check(request, visit, result: "/check/result")
    }

    /// The same for the question what this device can get around.
    func checkAroundPage(_ request: Request, _ visit: Visit) async throws -> Response {
        try await check(request, visit, result: "/check/around/result")
    }

    private func check(_ request: Request, _ visit: Visit, result: String) async throws -> Response {
        await surroundings.network.lookForLoops()
        let id = checks.begin(
            for: visit.address, isSecure: visit.isSecure, hasProxy: request.namesProxy, at: clock.now())
        let port = URL(string: configuration.address)?.port.map { ":\($0)" } ?? ""
        let hosts = ["", "4.", "6."].map { "http://\($0)\(id).check.\(configuration.hosts.name)\(port)" }
        let shown = CheckPage(
            next: "\(result)?id=\(id)", images: hosts.map { $0 + Self.checkImagePath },
            address: visit.address,
            pointing: pointing(request))
        var response = try page(shown, request, visit)
        response.headers[.contentSecurityPolicy] = SecurityHeaders.policy(images: hosts)
        return response
    }

    /// A one-time name was loaded, from wherever this request came; over TLS it was for `/trust`.
    func checkImage(_ request: Request, _ visit: Visit) throws -> Response {
        guard let name = request.host.flatMap(configuration.hosts.checkName) else {
            throw PageError(.notFound)
        }
        checks.note(
            load: .init(id: name.id, family: name.family, address: visit.address),
            hasProxy: request.namesProxy, at: clock.now())
        if visit.isSecure { try noteTrust(of: name.id, loadedFrom: visit.address) }
        return Response(
            status: .ok,
            headers: [.contentType: "image/svg+xml", .crossOriginResourcePolicy: "cross-origin"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(
                    string: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>")))
    }

    /// Which cause it is, in words. Whoever has the check's number may see it: it speaks of nobody but its device.
    func checkResult(_ request: Request, _ visit: Visit) async throws -> Response {
        let now = clock.now()
        let id = request.uri.queryParameters["id"].map(String.init) ?? ""
        guard let entry = checks.entry(id, at: now) else { return back(to: "/check") }
        let household = household(at: now)
        let loops = await surroundings.network.loops()
        let finding = evidence(entry, ClientSystem(request), visit, household, loops: loops, at: now)
            .finding()
        let shown = CheckResultPage(
            finding, id: id, address: entry.address, loops: loops, pointing: pointing(request),
            device: household.asking(at: visit.address))
        return try page(shown, request, visit)
    }

    /// What the device of a check can get around, and what to do about it; as `checkResult`, whoever has the number
    /// may see it.
    func aroundResult(_ request: Request, _ visit: Visit) async throws -> Response {
        let now = clock.now()
        let id = request.uri.queryParameters["id"].map(String.init) ?? ""
        guard let entry = checks.entry(id, at: now) else { return back(to: "/check/around") }
        let system = ClientSystem(request)
        let loops = await surroundings.network.loops()
        let household = household(at: now)
        let shown = AroundPage(
            evidence(entry, system, visit, household, loops: loops, at: now), system: system,
            pointing: pointing(request), loops: loops)
        return try page(shown, request, visit)
    }

    private func evidence(
        _ entry: CheckBook.Entry, _ system: ClientSystem, _ visit: Visit, _ household: Household,
        loops: [String], at now: Date
    ) -> SetupCheck.Evidence {
        let network = surroundings.network
        let routers = network.routers()
        var evidence = SetupCheck.Evidence(address: entry.address)
        let siblings = siblings(of: entry.address, household)
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
        let hardware =
            network.neighbours()[entry.address] ?? household.device(at: entry.address)?.hardwareAddress
        evidence.questions = Set(entry.questions.map { $0.own(to: entry.address, having: hardware) })
        evidence.loaded = Set(entry.loads.map(\.family))
        evidence.signs = checks.signs(of: own.union([hardware].compactMap { $0 }), at: now)
        evidence.asksHere = asked(own)
        evidence.routerAsksHere = asked(evidence.routers)
        evidence.hasIPv6 = network.hasIPv6() || own.contains { $0.contains(":") }
        evidence.hasLoop = !loops.isEmpty
        evidence.isSecure = entry.isSecure
        evidence.hasProxy = entry.hasProxy
        evidence.isEnrolled = household.asking(at: entry.address)?.person != nil
        evidence.isGateway = network.isGateway
        return evidence
    }

    /// Other addresses of the same device: this machine's own, those with the same hardware address that are surely its
    /// own, and those that the household knows.
    func siblings(of address: String, _ household: Household) -> Set<String> {
        let network = surroundings.network
        let machine = network.own()
        if machine.contains(address) || address.isLoopback { return machine }
        let table = network.neighbours()
        let device = household.device(behind: address, neighbours: table)
        let known = Set(device?.addresses ?? []).union([address])
        guard let hardware = table[address] else { return known }
        let same = table.filter { $0.value == hardware }.keys
        let own = same.filter { household.device(behind: $0, neighbours: table)?.id == device?.id }
        // Several of IPv4 are several devices, behind a repeater that lends them its hardware address.
        let isOne = device != nil || same.count { !$0.contains(":") } < 2
        return known.union(isOne ? own : own.filter { $0.contains(":") })
    }
}

extension Request {
    /// Whether a proxy on the way says that it is one (RFC 9110, 7.6.3; RFC 7239).
    fileprivate var namesProxy: Bool {
        ["Via", "Forwarded", "X-Forwarded-For"].contains { name in
            HTTPField.Name(name).map { headers[$0] != nil } ?? false
        }
    }
}
