import NIOCore
import Synchronization

/// Whose addresses are the home's router's, where the rule for new devices is not to count because a router asks for
/// everything behind it.
///
/// One announcement (ARP, RFC 826; NDP, RFC 4861) makes anybody the router for a moment: only a hardware address that
/// the way out had in the first minute, or for `settled` without a break, is believed.
final class RouterWatch: Sendable {
    /// What this machine knows at a moment.
    struct Look {
        /// The next hops of the default routes.
        var routers: [String]
        /// The neighbour table, by canonical address.
        var hardware: [String: String]

        /// A router for IPv6 counts only where there is none for IPv4: anybody on the network can announce one (RFC 4861,
        /// 4.2).
        var counted: [String] {
            let v4 = routers.filter { !$0.contains(":") }
            return v4.isEmpty ? routers : v4
        }
    }

    static let settled = TimeAmount.minutes(10)
    private static let youth = TimeAmount.minutes(1)
    /// Between two looks once that is over.
    private static let pause = TimeAmount.seconds(5)

    private struct Gateway {
        var hardware: String
        var believedFrom: NIODeadline
    }

    private struct State {
        var begun: NIODeadline?
        var nextLook = NIODeadline.distantPast
        var gateways: [String: Gateway] = [:]
        var addresses: Set<String> = []
    }

    private let look: @Sendable () -> Look
    private let state = Mutex(State())

    init(_ look: @escaping @Sendable () -> Look) { self.look = look }

    /// The addresses that have a believed hardware address. To be asked for every second, so that no break is missed.
    func addresses(at now: NIODeadline = .now()) -> Set<String> {
        state.withLock { state in
            let begun = state.begun ?? now
            state.begun = begun
            let isYoung = now - begun < Self.youth
            guard isYoung || now >= state.nextLook else { return state.addresses }
            state.nextLook = now + Self.pause
            let look = look()
            note(look, isYoung, at: now, in: &state.gateways)
            let believed = Set(
                look.counted.compactMap { state.gateways[$0] }.filter { $0.believedFrom <= now }.map(
                    \.hardware))
            state.addresses = Set(look.hardware.filter { believed.contains($0.value) }.keys)
            return state.addresses
        }
    }

    private func note(
        _ look: Look, _ isYoung: Bool, at now: NIODeadline, in gateways: inout [String: Gateway]
    ) {
        for router in look.counted {
            let known = gateways[router]
            // One that the kernel has not spoken with for a while has not changed.
            guard let found = look.hardware[router], known?.hardware != found else { continue }
            let isBelieved = isYoung && known == nil
            gateways[router] = Gateway(hardware: found, believedFrom: isBelieved ? now : now + Self.settled)
        }
    }
}
