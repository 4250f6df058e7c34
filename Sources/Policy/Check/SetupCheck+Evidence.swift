extension SetupCheck {
    /// Everything that is known when the result is asked for.
    package struct Evidence: Sendable {
        /// Where the page itself was asked from; canonical text, as all addresses here.
        package var address: String
        /// Other addresses that are surely the same device's.
        package var siblings: Set<String> = []
        /// The network's routers.
        package var routers: Set<String> = []
        /// Whether the page was asked from one of this machine's own networks.
        package var isAtHome = true
        package var system = System.other
        /// Questions for this check's names.
        package var questions: Set<Question> = []
        /// The names that were loaded: who asks here and then loads nothing took somebody else's answer.
        package var loaded: Set<Family> = []
        /// Questions of the device itself, in the last ten minutes.
        package var signs: Set<Sign> = []
        /// Whether the device itself asked here for any name in the last ten minutes.
        package var asksHere = false
        /// Whether a router did.
        package var routerAsksHere = false
        /// Whether the device or the network has IPv6.
        package var hasIPv6 = false
        /// Whether an upstream asks this server in turn.
        package var hasLoop = false
        /// Whether the pages came over TLS, where a browser may load no plain image: what was loaded then tells nothing.
        package var isSecure = false
        /// Whether a proxy on the way named itself in a request (`Via`, `Forwarded`).
        package var hasProxy = false
        /// Whether the device is somebody's, so that rules hold for it.
        package var isEnrolled = false
        /// Whether this machine routes the home's packets.
        package var isGateway = false

        package init(address: String) { self.address = address }
    }
}

extension SetupCheck.Evidence {
    /// Which cause it is, by what came and what did not, first that applies:
    ///
    /// 1. A loop has to be mended before anything else can be told.
    /// 2. Somebody asked, all by itself or in part: the device, or others in its place.
    /// 3. Nothing came. Then signs and the system decide; where they do not, every cause that is left is named.
    package func finding() -> SetupCheck.Finding {
        if hasLoop { return .init(causes: [.loop]) }
        let asker = ofOthers.map(\.address).min()
        let isOwn = !ofItself.isEmpty
        if isOwn, ofOthers.isEmpty { return .init(causes: [ownAnswer]) }
        if isOwn { return .init(causes: [hasIPv6 ? .ipv6Elsewhere : .routerAsks], askedBy: asker) }
        if let asker {
            // The page came through a router, or from outside, but the question did not: what the browser loads takes
            // another way than what the device asks.
            let isDetour = !routers.contains(asker) && (!isAtHome || routers.contains(address))
            return .init(causes: [isDetour ? .relayOrVPN : .routerAsks], askedBy: asker)
        }
        return .init(causes: silence, isSilence: true)
    }

    /// Questions by the device itself.
    var ofItself: Set<SetupCheck.Question> { questions.filter { isItself($0.address) } }

    /// Questions by others in its place.
    var ofOthers: Set<SetupCheck.Question> { questions.filter { !isItself($0.address) } }

    private func isItself(_ asker: String) -> Bool { asker == address || siblings.contains(asker) }

    /// The device asked here: for every name, or did something else answer for some?
    private var ownAnswer: SetupCheck.Cause {
        // A router that many stand behind looks like one device.
        if routers.contains(address) { return .routerAsks }
        let asked = Set(questions.map(\.family))
        return asked.count == SetupCheck.Family.allCases.count && (isSecure || loaded.contains(.either))
            ? .works : .ipv6Elsewhere
    }

    /// Nothing came for any name, while the page itself did.
    private var silence: [SetupCheck.Cause] {
        if !isAtHome || routers.contains(address) {
            return asksHere ? [.relayOrVPN] : [.relayOrVPN, .notPointed]
        }
        if signs.contains(.privateRelay), system == .apple { return [.relayOrVPN] }
        if signs.contains(.encryptedDNS) || signs.contains(.browserCanary) { return [.privateDNS] }
        var left: [SetupCheck.Cause] = []
        if routerAsksHere, !asksHere { left.append(.routerAsks) }
        switch system {
        case .android: left.append(.privateDNS)
        case .apple: left.append(.relayOrVPN)
        case .windows, .linux, .other: break
        }
        if hasIPv6 { left.append(.ipv6Elsewhere) }
        if !asksHere { left.insert(.notPointed, at: left.contains(.routerAsks) ? 1 : left.count) }
        return left.isEmpty ? [.privateDNS] : left
    }
}
