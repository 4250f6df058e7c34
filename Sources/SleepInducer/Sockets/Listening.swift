import DNS
import Directory
import LocalNetwork
import NIOCore

/// Where to listen, and the names and addresses under which this machine answers: worked out from its own addresses.
struct Listening: Sendable, Equatable {
    /// Canonical text of every address to bind, link-local ones with their zone.
    var addresses: [String]
    /// Who is served.
    let home: HomeNetworks
    /// What is not listened on because it is of no home network, unless `--bind` or `--gateway` says where the home is.
    let leftOut: [LocalAddress]
    let machine: [LocalAddress]
    private var advertised: String?
    /// Whether a forwarder on this machine asks over loopback, for devices to which that would mean themselves.
    private let forwardsLoopback: Bool

    /// - Parameters:
    ///   - bind: what `--bind` asked for; empty means every address of the home's interfaces.
    ///   - advertised: what `--address` says blocked pages lead to.
    ///   - forwarders: what `--forwarder` names.
    ///   - gateway: the interfaces that `--gateway` names.
    init(
        machine: [LocalAddress], bind: [String], advertised: String?, forwarders: [String] = [],
        gateway: [String] = []
    ) {
        self.machine = machine
        self.advertised = advertised
        forwardsLoopback = machine.contains { $0.reach == .loopback && forwarders.contains($0.address) }
        let bind = bind.map(Self.canonical)
        let interfaces = HomeInterfaces(machine, bind: bind, gateway: gateway)
        addresses =
            bind.isEmpty ? machine.filter(interfaces.has).map(\.bindText) : Self.spelledOut(bind, on: machine)
        home = interfaces.networks
        let isSaid = !bind.isEmpty || !gateway.isEmpty
        leftOut = isSaid ? [] : machine.filter { $0.isUseful && !interfaces.has($0) }
    }

    /// A wildcard means every address of its family, each with a socket of its own: a blocked name leads to the address
    /// that was asked, and one socket for all does not know it.
    private static func spelledOut(_ bind: [String], on machine: [LocalAddress]) -> [String] {
        var found: [String] = []
        for text in bind {
            let all = machine.filter { $0.isIPv6 ? text == "::" : text == "0.0.0.0" }.map(\.bindText)
            for address in all.isEmpty ? [text] : all where !found.contains(address) { found.append(address) }
        }
        return found
    }

    /// As the kernel's addresses are written, with its zone.
    private static func canonical(_ text: String) -> String {
        ClientAddress(text).map { $0.text + String(text.drop { $0 != "%" }) } ?? text
    }

    /// Whether the front door lets in who connects from an address.
    var admits: @Sendable (SocketAddress) -> Bool {
        { [home] in ClientAddress($0).map(home.has) ?? false }
    }

    /// What to do about addresses of no home network; nil: there are none.
    var advice: String? {
        guard !leftOut.isEmpty else { return nil }
        let places = leftOut.map { "\($0.address) (\($0.interface))" }.joined(separator: ", ")
        let isAlone = machine.allSatisfy { !$0.isUseful || leftOut.contains($0) }
        return
            "\(places): not a home network, so devices there get no answer\(isAlone ? ", and only this machine is served" : "")."
            + " Is it your home network? Start with --bind and every address to listen on."
    }

    /// The DNS endpoints on a port. A page host's answer is the address that was asked; for the other family it is
    /// the interface's own, never link-local (design.md, "DNS answers").
    /// - Parameter dotPort: of DNS over TLS; nil: none.
    func endpoints(port: Int, dotPort: Int?) -> [Endpoint] {
        addresses.compactMap { text in
            var endpoint = endpoint(text, port: port)
            endpoint?.dotPort = dotPort
            return endpoint
        }
    }

    private func endpoint(_ text: String, port: Int) -> Endpoint? {
        guard let socket = try? SocketAddress(ipAddress: text, port: port) else { return nil }
        if let advertised = advertised.flatMap({ ClientAddress($0) }) {
            return Endpoint(
                address: socket, v4: advertised.isV4 ? advertised : nil,
                v6: advertised.isV4 ? nil : advertised)
        }
        let plain = Endpoint(address: socket)
        if forwardsLoopback, machine.contains(where: { $0.bindText == text && $0.reach == .loopback }) {
            let own = useful.compactMap { ClientAddress($0.address) }
            return Endpoint(
                address: socket, v4: own.first(where: \.isV4) ?? plain.v4, v6: own.first { !$0.isV4 })
        }
        let siblings = siblings(of: text)
        return Endpoint(
            address: socket, v4: plain.v4 ?? siblings.first(where: \.isV4),
            v6: plain.v6 ?? siblings.first { !$0.isV4 })
    }

    /// Useful addresses of the same interface, where something listens.
    private func siblings(of text: String) -> [ClientAddress] {
        guard let own = machine.first(where: { $0.bindText == text }) else { return [] }
        return machine.filter {
            $0.interface == own.interface && $0.reach != .link && addresses.contains($0.bindText)
        }.compactMap { ClientAddress($0.address) }
    }

    /// Whether blocked and relayed names can lead to an address that this machine listens on: `--address` alone, where it
    /// is one of them.
    func givesOut(_ address: String) -> Bool {
        guard let advertised, addresses.contains(advertised) else { return true }
        return address == advertised
    }

    /// The addresses that a device of the home can ask, IPv4 first, at most four; those of one link mean nothing without
    /// it. `--address` where it is given.
    var reachable: [String] {
        if let advertised { return [advertised] }
        let own = machine.filter {
            addresses.contains($0.bindText) && ($0.reach == .home || $0.reach == .shared)
        }
        let found = own.filter { !$0.isIPv6 } + own.filter(\.isIPv6)
        return found.isEmpty ? [shown] : Array(found.map(\.address).prefix(4))
    }

    /// The address to tell people: `--address`, else the first that a phone could reach.
    var shown: String {
        if let advertised { return advertised }
        let own = useful
        return (own.first { !$0.isIPv6 } ?? own.first)?.address ?? addresses.first ?? "127.0.0.1"
    }

    /// Where something listens for others, those of one link left out.
    private var useful: [LocalAddress] {
        machine.filter { addresses.contains($0.bindText) && $0.isUseful }
    }
}
