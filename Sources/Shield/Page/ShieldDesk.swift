import Directory
import NIOCore
import NIOHTTP1
import Policy

/// What the shield's connections on one event loop share; everything here runs on that loop.
final class ShieldDesk {
    let facts: ShieldFacts
    let limits: DoorLimits
    let streams: ShieldStreams
    /// Nil if nothing is relayed.
    let passages: Passages?
    private let loop: any EventLoop
    private let proxies: ReverseProxies
    let seal: ActionSeal
    /// A page costs a hundred times as much as a line of text, an action waits for the disk, and the same loop answers DNS.
    private let pages: Rate<Holder>
    private let actions: Rate<Holder>

    init(
        loop: any EventLoop, facts: ShieldFacts, limits: DoorLimits, places: SharedAllowance<Holder>,
        relay: RelayFacts? = nil, echoes: Echoes = Echoes(), proxies: ReverseProxies = ReverseProxies(),
        letPass: @escaping (AcceptedConnection) -> Bool = { _ in true }
    ) {
        self.loop = loop
        self.facts = facts
        self.limits = limits
        self.proxies = proxies
        streams = ShieldStreams(loop: loop, facts: facts, places: places)
        passages = relay.map { relay in
            Passages(
                loop: loop, facts: relay, echoes: echoes, verdict: facts.verdict, letPass: letPass)
        }
        seal = ActionSeal(key: facts.key)
        pages = Rate(burst: limits.pagesPerSecond, perSeconds: 1)
        actions = Rate(burst: limits.actionsPerTenSeconds, perSeconds: 10)
    }

    /// The client for whom a trusted reverse proxy asks, with an empty address if the proxy does not say; nil for every
    /// other peer.
    func client(of head: HTTPRequestHead, from peer: IPAddress?) -> (address: String, holder: Holder)? {
        guard let word = proxies.word(of: peer, { head.headers[$0] }) else { return nil }
        return (word.client?.text ?? "", word.client.map(facts.holder) ?? Holder(nil))
    }

    func isBlocked(_ name: String, for address: String) -> Bool {
        facts.verdict(address, name).block != nil
    }

    /// Everything that a page about a name tells the device at an address, with the seals of its buttons.
    func context(_ name: String, _ address: String, origin: String, path: String = "/") -> ShieldContext {
        let now = facts.now()
        let verdict = facts.verdict(address, name)
        let context = ShieldContext(
            name: name, address: address, verdict: verdict, now: now, origin: origin, path: path)
        return context.sealed(by: seal)
    }

    /// Whether this form was made for this device, person, Host and app, less than ten minutes ago.
    func isGenuine(_ form: ActionForm, _ action: ShieldAction, _ context: ShieldContext) -> Bool {
        seal.isGenuine(
            form.seal, of: context.claim(app: form.app, action: action, expires: form.expires),
            at: context.now)
    }

    /// Verdicts may have changed.
    func changed(revision: Int) {
        passages?.changed()
        streams.changed(revision: revision)
    }

    func end() {
        streams.end()
        passages?.end()
    }

    /// Counts one press; false if the holder has used up its share.
    func mayAct(_ holder: Holder) -> Bool { actions.wait(for: holder, at: loop.now.seconds) == nil }

    /// The page for a holder; nil if it has used up its share of this second.
    func page(_ context: ShieldContext, for holder: Holder) -> [UInt8]? {
        pages.wait(for: holder, at: loop.now.seconds) == nil ? facts.page(context) : nil
    }
}

extension NIODeadline {
    fileprivate var seconds: Double { Double(uptimeNanoseconds) / 1e9 }
}
