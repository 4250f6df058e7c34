import Pages
package import Policy

/// What a device can get around, what is held back, and what no page can see. GET `/check/around/result?id=…`.
package struct AroundPage: Page {
    package static let template = "around"

    /// A way around; exactly one of the kind flags is true.
    struct Way {
        /// For programs, as `data-way`.
        let name: String
        let heading: String
        let isOtherServer: Bool
        let isRouter: Bool
        let isPrivateDNS: Bool
        let isBrowser: Bool
        let isRelay: Bool
        let isVPN: Bool
        let isProxy: Bool
        let isDesignated: Bool
        let isServiceRecords: Bool
        let isQUIC: Bool
        /// ` over IPv6`, if that is known.
        let over: String
        /// Whether the device asks this server as well.
        let isPartial: Bool
        let askedBy: String?
        /// Whether it is open only because the device belongs to no person.
        let isForNobody: Bool
        let isUnclear: Bool
        let steps: [AroundSteps]

        init(_ way: WayAround, forNobody: Bool, system: ClientSystem, server: String?) {
            name = way.kind.rawValue
            heading = way.heading
            isOtherServer = way.kind == .otherServer
            isRouter = way.kind == .routerAsks
            isPrivateDNS = way.kind == .privateDNS
            isBrowser = way.kind == .browserDNS
            isRelay = way.kind == .privateRelay
            isVPN = way.kind == .vpn
            isProxy = way.kind == .proxy
            isDesignated = way.kind == .designatedResolver
            isServiceRecords = way.kind == .serviceRecords
            isQUIC = way.kind == .quic
            over = [.v4: " over IPv4", .v6: " over IPv6"][way.family] ?? ""
            isPartial = way.isPartial
            askedBy = way.askedBy
            isForNobody = forNobody
            isUnclear = way.standing == .unclear
            let isTaken = way.standing == .open || way.standing == .unclear
            steps =
                isTaken && !forNobody
                ? AroundSteps.all(for: way.kind, asking: system, server: server ?? "this server's address")
                : []
        }
    }

    package let title = "Check this device"
    let heading: String
    /// Open ways first, then unclear ones.
    let ways: [Way]
    let held: [Way]
    /// `Private Relay, a VPN and a proxy`, of which nothing was seen; nil if something was seen of each.
    let unseen: String?
    let isFine: Bool
    let isEnrolled: Bool
    let isGateway: Bool
    let address: String
    /// Upstreams that ask this server in turn; nil if there are none.
    let loops: String?
    let pointing: PointHere

    package init(
        _ evidence: SetupCheck.Evidence, system: ClientSystem, pointing: PointHere, loops: [String] = []
    ) {
        // No phone asks this server's port, so silence says nothing about the device.
        let isDeaf = (pointing.isTrial || pointing.isOff) && evidence.questions.isEmpty
        let all = evidence.waysAround().filter { !isDeaf || $0.standing == .held || $0.kind == .proxy }
        func some(_ standing: WayAround.Standing) -> [WayAround] { all.filter { $0.standing == standing } }
        func rows(_ ways: [WayAround]) -> [Way] {
            ways.map {
                Way(
                    $0, forNobody: !evidence.isEnrolled && $0.isByAsking(evidence), system: system,
                    server: pointing.dnsServer)
            }
        }
        let open = some(.open)
        ways = rows(open + some(.unclear))
        held = rows(some(.held))
        let absent = some(.unseen).map(\.kind.noun)
        unseen = absent.isEmpty ? nil : absent.inSentence
        heading =
            switch (isDeaf, open.count, ways.count) {
            case (true, 0, _): "Nothing came here yet"
            case (_, 0, 0): "No way around was seen"
            case (_, 0, _): "It is not clear yet"
            case (_, 1, _): "One way around is open"
            default: "\(open.count) ways around are open"
            }
        isFine = ways.isEmpty && !isDeaf
        isEnrolled = evidence.isEnrolled
        isGateway = evidence.isGateway
        address = evidence.address
        self.loops = loops.isEmpty ? nil : loops.joined(separator: ", ")
        self.pointing = pointing
    }
}

extension WayAround {
    /// Whether a question that the device asked here shows it; the rules would refuse that question.
    fileprivate func isByAsking(_ evidence: SetupCheck.Evidence) -> Bool {
        guard standing == .open else { return false }
        return kind == .browserDNS
            || !evidence.questions.isEmpty && [.privateDNS, .privateRelay].contains(kind)
    }

    fileprivate var heading: String {
        switch kind {
        case .otherServer: isPartial ? "A second DNS server" : "Another DNS server"
        case .routerAsks: "The router asks for this device"
        case .privateDNS: "Encrypted DNS of its own"
        case .browserDNS: "The browser's own DNS"
        case .privateRelay: "Private Relay"
        case .vpn: "A VPN"
        case .proxy: "A proxy"
        case .designatedResolver: "An upgrade to encrypted DNS"
        case .serviceRecords: "HTTPS records"
        case .quic: "QUIC"
        }
    }
}

extension WayAround.Kind {
    /// As part of a list.
    fileprivate var noun: String {
        switch self {
        case .otherServer: "a second DNS server"
        case .routerAsks: "a router that asks for it"
        case .privateDNS: "Private DNS"
        case .browserDNS: "Firefox's own DNS"
        case .privateRelay: "Private Relay"
        case .vpn: "a VPN"
        case .proxy: "a proxy"
        case .designatedResolver: "an upgrade to encrypted DNS"
        case .serviceRecords: "HTTPS records"
        case .quic: "QUIC"
        }
    }
}
