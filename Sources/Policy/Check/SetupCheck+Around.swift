extension SetupCheck.Evidence {
    /// Every way around this server with what the check saw of it, in the order of `WayAround.Kind`. It uses the cause
    /// from `finding`; if there are several causes, every way is at most unclear.
    package func waysAround() -> [WayAround] {
        var evidence = self
        // A loop is a fault of this server, not a way around it.
        evidence.hasLoop = false
        let finding = evidence.finding()
        return WayAround.Kind.allCases.map { evidence.way($0, finding) }
    }

    /// What adults are told where it is a child's device: another server that surely answers it, instead of this one or
    /// besides.
    package var wayOut: SeenWayOut.Kind? {
        let open = waysAround().filter { $0.standing == .open }
        if let other = open.first(where: { $0.kind == .otherServer }) {
            return other.isPartial ? .secondServer : .asksElsewhere
        }
        return questions.isEmpty && open.contains { $0.kind == .privateDNS } ? .asksElsewhere : nil
    }

    private func way(_ kind: WayAround.Kind, _ finding: SetupCheck.Finding) -> WayAround {
        let causes = finding.causes
        // Both answer: the device asked here itself, and so did the router.
        let isBoth = causes == [.routerAsks] && !ofItself.isEmpty && !ofOthers.isEmpty
        switch kind {
        case .otherServer:
            let standing =
                isBoth ? claim([.routerAsks], causes) : claim([.ipv6Elsewhere, .notPointed], causes)
            var way = WayAround(kind, standing)
            way.isPartial = isBoth || causes == [.ipv6Elsewhere]
            way.family = way.isPartial ? otherFamily : .either
            if standing == .open { way.askedBy = finding.askedBy }
            return way
        case .routerAsks:
            var way = WayAround(kind, isBoth ? .unseen : claim([.routerAsks], causes))
            if way.standing == .open { way.askedBy = finding.askedBy }
            return way
        case .privateDNS: return WayAround(kind, privateDNS(causes))
        case .browserDNS: return WayAround(kind, browserDNS(causes))
        case .privateRelay: return WayAround(kind, privateRelay(causes))
        case .vpn:
            var way = WayAround(kind, isRelay(causes) ? .unseen : claim([.relayOrVPN], causes))
            if way.standing == .open { way.askedBy = finding.askedBy }
            return way
        case .proxy: return WayAround(kind, hasProxy ? .open : .unseen)
        case .designatedResolver:
            return WayAround(kind, signs.contains(.designatedResolver) ? .held : .unseen)
        case .serviceRecords:
            return WayAround(kind, ofItself.contains(where: \.isServiceBinding) ? .held : .unseen)
        case .quic: return WayAround(kind, .held)
        }
    }

    /// What the causes of `finding` say about a way. Behind a proxy, only the proxy is certain.
    private func claim(_ own: [SetupCheck.Cause], _ causes: [SetupCheck.Cause]) -> WayAround.Standing {
        guard causes.contains(where: own.contains) else { return .unseen }
        return causes.count == 1 && !hasProxy ? .open : .unclear
    }

    /// The device asked here, and the rules answered if it is enrolled.
    private var asked: WayAround.Standing { isEnrolled ? .held : .open }

    /// The device asks here over one protocol only, so it asks the other server, if any, over the other protocol.
    private var otherFamily: SetupCheck.Family {
        let isV6 = Set(ofItself.map { $0.address.contains(":") })
        switch (isV6.contains(false), isV6.contains(true)) {
        case (true, true): return .either
        case (false, true): return .v4
        default: return hasIPv6 ? .v6 : .v4
        }
    }

    private func privateDNS(_ causes: [SetupCheck.Cause]) -> WayAround.Standing {
        let standing = claim([.privateDNS], causes)
        return standing == .unseen && signs.contains(.encryptedDNS) ? asked : standing
    }

    private func browserDNS(_ causes: [SetupCheck.Cause]) -> WayAround.Standing {
        guard signs.contains(.browserCanary) else { return .unseen }
        let standing = claim([.privateDNS], causes)
        return standing == .unseen ? asked : standing
    }

    private func privateRelay(_ causes: [SetupCheck.Cause]) -> WayAround.Standing {
        if isRelay(causes) { return claim([.relayOrVPN], causes) }
        if signs.contains(.privateRelay) { return asked }
        return system == .apple && claim([.relayOrVPN], causes) == .unclear ? .unclear : .unseen
    }

    /// Whether `finding` means Private Relay and not a VPN.
    private func isRelay(_ causes: [SetupCheck.Cause]) -> Bool {
        causes == [.relayOrVPN] && questions.isEmpty && isAtHome && !routers.contains(address)
            && signs.contains(.privateRelay)
    }
}
