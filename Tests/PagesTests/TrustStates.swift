import Dashboard
import Foundation
import Policy

extension PageState {
    private static let fingerprint = String(repeating: "0f", count: 32)

    private static func facts(
        isMade: Bool = true, missing: [String] = [], port: Int? = 443, isNamed: Bool = true
    ) -> TrustFacts {
        var facts = TrustFacts()
        let authority = TrustFacts.Authority(
            name: "Sleep Inducer 3F2A91", fingerprint: fingerprint, certificate: [0x30], made: Sample.now,
            ends: Sample.now + 3652 * 86_400, names: 914)
        facts.authority = { _ in isMade ? authority : nil }
        facts.missing = { _ in missing }
        facts.httpsPort = port
        facts.canSpeakForOwnName = isNamed
        return facts
    }

    private static func trust(
        _ name: String, _ facts: TrustFacts, signedIn: Bool = false, isTrusting: Bool = false,
        system: ClientSystem = .ios
    ) -> PageState {
        var household = Sample.household()
        if isTrusting { household.devices[0].trustedAuthority = fingerprint }
        return PageState(
            name: name,
            page: TrustPage(
                facts, household: household, device: household.devices[0], ownName: "sleep.home.arpa",
                isSignedIn: signedIn, system: system, now: Sample.now),
            context: context(signedIn: signedIn, path: "/trust"))
    }

    private static func result(_ name: String, _ page: TrustResultPage) -> PageState {
        PageState(name: name, page: page, context: context(signedIn: false, path: "/trust/result"))
    }

    private static func profiles(_ name: String, hasCertificate: Bool, isKnown: Bool, isServed: Bool = true)
        -> PageState
    {
        PageState(
            name: name,
            page: ProfilesPage(
                system: isKnown ? .ios : .windows, hasCertificate: hasCertificate, isKnown: isKnown,
                isServed: isServed, home: "http://192.168.1.5", addresses: ["192.168.1.5", "fd00::5"]),
            context: context(signedIn: false, path: "/profiles"))
    }

    static let trust = [
        trust("trust-none", facts(isMade: false), signedIn: true),
        trust("trust-none-stranger", facts(isMade: false)),
        trust("trust", facts(), system: .android),
        trust(
            "trust-owner", facts(missing: ["a.example", "b.example", "c.example", "d.example"]),
            signedIn: true,
            isTrusting: true),
        trust("trust-off", facts(isMade: false, port: nil), signedIn: true),
        trust("trust-single-label", facts(isMade: false, isNamed: false), signedIn: true),
        PageState(
            name: "trust-check",
            page: TrustCheckPage(id: "0123", image: "https://0123.check.sleep.home.arpa/check/seen"),
            context: context(signedIn: false, path: "/trust/check")),
        result(
            "trust-result",
            TrustResultPage(.trusts, hasAsked: true, secureHome: "https://sleep.home.arpa")),
        result(
            "trust-result-unknown",
            TrustResultPage(.unknown, hasAsked: false, secureHome: "https://sleep.home.arpa")),
        result(
            "trust-result-router",
            TrustResultPage(.router, hasAsked: true, secureHome: "https://sleep.home.arpa")),
        result(
            "trust-result-elsewhere",
            TrustResultPage(.elsewhere, hasAsked: true, secureHome: "https://sleep.home.arpa")),
        result(
            "trust-result-not-yet",
            TrustResultPage(.notYet, hasAsked: false, secureHome: nil, system: .ios)),
        profiles("profiles", hasCertificate: true, isKnown: true),
        profiles("profiles-none", hasCertificate: false, isKnown: false),
        profiles("profiles-off", hasCertificate: false, isKnown: true, isServed: false),
    ]
}
