extension SetupCheck {
    /// Everything known when the result is requested.
    package struct Evidence: Sendable {
        /// The address that loaded the page; canonical text, like all addresses here.
        package var address: String
        /// Other addresses that certainly belong to the same device.
        package var siblings: Set<String> = []
        /// The network's routers.
        package var routers: Set<String> = []
        /// Whether the page was loaded from one of this machine's own networks.
        package var isAtHome = true
        package var system = System.other
        /// Questions for this check's names.
        package var questions: Set<Question> = []
        /// The names that were loaded. A device that asks here and then loads nothing took another server's answer.
        package var loaded: Set<Family> = []
        /// What the device itself asked in the last ten minutes.
        package var signs: Set<Sign> = []
        /// Whether the device itself asked here for any name in the last ten minutes.
        package var asksHere = false
        /// Whether a router asked here for any name in the last ten minutes.
        package var routerAsksHere = false
        /// Whether the device or the network has IPv6.
        package var hasIPv6 = false
        /// Whether an upstream asks this server in turn.
        package var hasLoop = false
        /// Whether the pages came over TLS: then a browser may not load a plain image, so `loaded` says nothing.
        package var isSecure = false
        /// Whether a proxy on the way named itself in a request (`Via`, `Forwarded`).
        package var hasProxy = false
        /// Whether the device has an owner, so that rules hold for it.
        package var isEnrolled = false
        /// Whether this machine routes the home's packets.
        package var isGateway = false

        package init(address: String) { self.address = address }
    }
}

extension SetupCheck.Evidence {
    /// Finds the cause from what came and what did not. The first that applies:
    ///
    /// 1. A loop: nothing else can be told before it is repaired.
    /// 2. A question came: from the device, from others in its place, or from both.
    /// 3. Nothing came: signs and the system decide. If they do not, every cause that is left is named.
    package func finding() -> SetupCheck.Finding {
        if hasLoop { return .init(causes: [.loop]) }
        let asker = ofOthers.map(\.address).min()
        let isOwn = !ofItself.isEmpty
        if isOwn, ofOthers.isEmpty { return .init(causes: [ownAnswer]) }
        if isOwn { return .init(causes: [hasIPv6 ? .ipv6Elsewhere : .routerAsks], askedBy: asker) }
        if let asker {
            // The page came through a router or from outside, but the question did not: the browser's traffic takes
            // another way than the device's questions.
            let isDetour = !routers.contains(asker) && (!isAtHome || routers.contains(address))
            return .init(causes: [isDetour ? .relayOrVPN : .routerAsks], askedBy: asker)
        }
        return .init(causes: silence, isSilence: true)
    }

    /// Questions from the device itself.
    var ofItself: Set<SetupCheck.Question> { questions.filter { isItself($0.address) } }

    /// Questions from others in its place.
    var ofOthers: Set<SetupCheck.Question> { questions.filter { !isItself($0.address) } }

    private func isItself(_ asker: String) -> Bool { asker == address || siblings.contains(asker) }

    /// The device asked here. Did it ask for every name, or did something else answer some of them?
    private var ownAnswer: SetupCheck.Cause {
        // A router with many devices behind it looks like one device.
        if routers.contains(address) { return .routerAsks }
        let asked = Set(questions.map(\.family))
        return asked.count == SetupCheck.Family.allCases.count && (isSecure || loaded.contains(.either))
            ? .works : .ipv6Elsewhere
    }

    /// The page was loaded, but no question came for any name.
    private var silence: [SetupCheck.Cause] {
        if !isAtHome || routers.contains(address) {
            return asksHere ? [.relayOrVPN] : [.relayOrVPN, .notPointed]
        }
        if signs.contains(.privateRelay), system == .apple { return [.relayOrVPN] }
        if signs.contains(.encryptedDNS) { return [.privateDNS] }
        var left: [SetupCheck.Cause] = []
        if routerAsksHere, !asksHere { left.append(.routerAsks) }
        if system == .android || signs.contains(.browserCanary) { left.append(.privateDNS) }
        if system == .apple { left.append(.relayOrVPN) }
        if hasIPv6 { left.append(.ipv6Elsewhere) }
        if left.isEmpty, asksHere { left = [.privateDNS] }
        // A device that asked here within ten minutes may have been given another server since, which shows no sign.
        if !asksHere || !left.contains(.ipv6Elsewhere) {
            left.insert(.notPointed, at: left.contains(.routerAsks) ? 1 : left.count)
        }
        return left
    }
}
