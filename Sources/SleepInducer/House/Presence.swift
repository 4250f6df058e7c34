import DNS
import Enforcement
import Identity
import LocalNetwork
import Logging
import Policy
import Shield
import Synchronization

/// Where devices reach this house: it listens on the machine's addresses, follows them, and presents the certificate
/// that fits.
actor Presence {
    private let ground: Ground
    private let desk: NameDesk
    private let door: FrontDoor
    private let resolver: DNS.Resolver
    private let leaves: LeafKeeper
    private var listening: Listening
    private var isListening = false
    /// What the machine had at the last look.
    private let looked = Mutex<[LocalAddress]>([])

    init(
        _ ground: Ground, desk: NameDesk, door: FrontDoor, resolver: DNS.Resolver,
        authorities: AuthorityKeeper
    ) {
        self.ground = ground
        self.desk = desk
        self.door = door
        self.resolver = resolver
        leaves = LeafKeeper(
            directory: ground.directory, authorities: authorities, logger: ground.logger)
        listening = ground.firstListening
    }

    /// Opens the front door; DNS opens with its first filter.
    /// - Returns: where it listens.
    func open() async throws -> Listening {
        let opening = await door.start(addresses: listening.addresses, admits: listening.admits)
        note(opening, at: listening)
        guard !opening.opened.isEmpty else { throw NoDoor(reasons: opening.refused.map(\.description)) }
        return listening
    }

    /// Whether the machine has other addresses than at the last look.
    nonisolated var hasMoved: Bool {
        let addresses = ground.machine.addresses()
        return looked.withLock { addresses != $0 }
    }

    /// Whether the machine may have been told of other servers or names.
    nonisolated var isToldAnew: Bool { ground.network.isStale }

    /// Asks the servers that the machine was told of, and answers to its names.
    func followNetwork() async {
        guard ground.network.look() else { return }
        let network = ground.network.now
        let servers = network.upstreams.map(\.description).joined(separator: " ")
        ground.logger.notice("The network changed", metadata: ["upstreams": "\(servers)"])
        await resolver.follow(network)
        presentItself(listening)
    }

    /// Listens on new addresses, and closes those that went away.
    func followAddresses() async {
        // A server may be one that was left out as this machine's own, or on an interface that was not there.
        await followNetwork()
        let addresses = ground.machine.addresses()
        let next = Listening(addresses, ground.options)
        if next != listening {
            presentItself(next)
            ground.logger.notice(
                "Addresses changed", metadata: ["now": "\(next.addresses.joined(separator: " "))"])
            if let advice = next.advice, advice != listening.advice { ground.logger.notice("\(advice)") }
            await listen(on: next)
        }
        // If another call was listening, the next look tries again.
        if next == listening { looked.withLock { $0 = addresses } }
    }

    /// Presents a new certificate in time: each one ends.
    func renew() { presentItself(listening) }

    nonisolated var wasRefused: Bool { !ground.condition.refused.isEmpty }

    /// Tries again to listen where it was refused.
    func insist() async { await listen(on: listening) }

    /// One call at a time: of two, each would take the other's sockets for another program's.
    private func listen(on next: Listening) async {
        guard !isListening else { return }
        isListening = true
        defer { isListening = false }
        listening = next
        await desk.move(to: NameDesk.Places(next, ground.ports))
        note(await door.rebind(addresses: next.addresses, admits: next.admits), at: next)
    }

    private func note(_ opening: FrontDoor.Opening, at listening: Listening) {
        let condition = ground.condition
        condition.relayFault = RelayDoors.fault(ground.ports, refused: opening.refused, listening)
        let reasons = opening.refused.map(\.description)
        for reason in condition.report(reasons, from: "pages") { ground.logger.error("\(reason)") }
    }

    /// Gives DNS and the front door the certificate for this machine's present names and addresses, if it changed.
    nonisolated func presentItself(_ listening: Listening) {
        guard ground.ports.dot != nil || ground.ports.https != nil else { return }
        let subject = LeafSubject(ground.network.ownNames, addresses: listening.addresses)
        guard let leaf = leaves.renewed(for: subject, at: ground.clock.now()) else { return }
        do {
            resolver.present(try leaf.context(protocols: ["dot"]))
            door.present(try leaf.context(protocols: ["h2", "http/1.1"]))
        } catch {
            ground.logger.error("The certificate cannot be used", metadata: ["error": "\(error)"])
        }
    }
}
