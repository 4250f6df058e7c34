import Pages
package import Policy

/// What the live check found, and how to mend it. GET `/check/result?id=…`.
package struct CheckResultPage: Page {
    package static let template = "check-result"

    /// One cause; exactly one flag is true.
    struct Cause {
        let isRouter: Bool
        let isIPv6: Bool
        let isPrivateDNS: Bool
        let isRelay: Bool
        let isLoop: Bool
        let isNotPointed: Bool
        /// For programs, as `data-cause`.
        let name: String

        init(_ cause: SetupCheck.Cause) {
            isRouter = cause == .routerAsks
            isIPv6 = cause == .ipv6Elsewhere
            isPrivateDNS = cause == .privateDNS
            isRelay = cause == .relayOrVPN
            isLoop = cause == .loop
            isNotPointed = cause == .notPointed
            name = cause.rawValue
        }
    }

    /// The check's id, for links to its other results.
    let id: String
    package let title: String
    package let heading: String
    let works: Bool
    /// The likeliest cause first; empty if it works.
    let causes: [Cause]
    let isCertain: Bool
    /// Whether several causes are left.
    let isGuess: Bool
    package let address: String
    /// The address that asked in the device's place.
    let askedBy: String?
    let loops: String
    let pointing: PointHere
    let isApple: Bool
    let isAndroid: Bool
    let isEnrolled: Bool
    /// Whether it leads to what can get around the rules.
    let offersAround: Bool

    /// `device` is the asking one, if it is known.
    package init(
        _ finding: SetupCheck.Finding, id: String, address: String, loops: [String] = [], pointing: PointHere,
        device: Device?, offersAround: Bool = true
    ) {
        self.offersAround = offersAround
        self.id = id
        works = finding.causes == [.works]
        isCertain = finding.causes.count == 1
        // No phone asks this server's port, so silence says nothing about the device.
        let isDeaf = (pointing.isTrial || pointing.isOff) && finding.isSilence
        causes = works || isDeaf ? [] : finding.causes.map(Cause.init)
        heading = isCertain && !isDeaf ? finding.causes[0].heading : "Nothing came here yet"
        isGuess = !isCertain && !isDeaf
        title = heading
        self.address = address
        askedBy = finding.askedBy
        self.loops = loops.joined(separator: ", ")
        self.pointing = pointing
        isApple = [.ios, .mac].contains(pointing.system)
        isAndroid = pointing.system == .android
        isEnrolled = device?.isSomebodys ?? false
    }
}

extension SetupCheck.Cause {
    fileprivate var heading: String {
        switch self {
        case .works: "It works"
        case .routerAsks: "Your router asks for you"
        case .ipv6Elsewhere: "IPv6 goes elsewhere"
        case .privateDNS: "Private DNS is on"
        case .relayOrVPN: "Private Relay or a VPN is on"
        case .loop: "Your router sends questions back here"
        case .notPointed: "This device asks another server"
        }
    }
}
