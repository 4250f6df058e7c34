package import Foundation
import Pages
package import Policy

/// What the household's certificate is for, and how to make each system trust it. GET `/trust`, for every device.
/// Making one needs a login: POST `/trust/authority`.
package struct TrustPage: Page {
    package static let template = "trust"

    /// The certificate's details, for people to compare.
    struct Certificate {
        let name: String
        /// `3F 2A …`, 32 pairs.
        let fingerprint: String
        /// `today`, `on 2026-11-22`
        let made: String
        /// `2036-11-21`
        let ends: String
        let names: Int
        /// Up to three names that were added later; nil if there are none.
        let missing: String?

        init(_ authority: TrustFacts.Authority, missing: [String], zone: TimeZone, now: Date) {
            name = authority.name
            let digits = Array(authority.fingerprint.uppercased())
            fingerprint = stride(from: 0, to: digits.count - 1, by: 2).map { String(digits[$0...($0 + 1)]) }
                .joined(separator: " ")
            let face = ClockFace(zone: zone)
            made = face.day(authority.made, from: now)
            ends = "\(face.zone.date(of: authority.ends))"
            names = authority.names
            let more = missing.count > 3 ? " and \(missing.count - 3) more" : ""
            self.missing = missing.isEmpty ? nil : missing.prefix(3).joined(separator: ", ") + more
        }
    }

    package let title = "Trust the shield"
    /// Nil if none was made yet.
    let certificate: Certificate?
    /// Whether HTTPS is served.
    let isServed: Bool
    let canSpeakForOwnName: Bool
    /// `sleep.home.arpa`
    let ownName: String
    let isSignedIn: Bool
    /// Whether the asking device was seen to trust it.
    let isTrusting: Bool
    /// `2 devices trust it.`, for a login; nil if none does.
    let trusting: String?
    let isIOS: Bool
    let isAndroid: Bool
    let isMac: Bool
    let isWindows: Bool
    let isLinux: Bool

    /// `device` is the asking one, if it is known.
    package init(
        _ facts: TrustFacts, household: Household, device: Device?, ownName: String, isSignedIn: Bool,
        system: ClientSystem = .other, now: Date
    ) {
        let authority = facts.authority(now)
        certificate = authority.map {
            Certificate(
                $0, missing: facts.missing(household.ownApps),
                zone: TimeZone(identifier: household.timeZone) ?? .gmt, now: now)
        }
        isServed = facts.httpsPort != nil
        canSpeakForOwnName = facts.canSpeakForOwnName
        self.ownName = ownName
        self.isSignedIn = isSignedIn
        isTrusting = device?.trustsShield(of: authority?.fingerprint) ?? false
        let count = household.devices.count { $0.trustsShield(of: authority?.fingerprint) }
        trusting =
            isSignedIn && count > 0 ? count == 1 ? "1 device trusts it." : "\(count) devices trust it." : nil
        isIOS = system == .ios
        isAndroid = system == .android
        isMac = system == .mac
        isWindows = system == .windows
        isLinux = system == .linux
    }
}

/// The running check: the browser loads an image over TLS with this certificate. GET `/trust/check`.
package struct TrustCheckPage: Page {
    package static let template = "trust-check"

    package let title = "Check the certificate"
    /// 32 hex digits.
    let id: String
    /// An absolute address with a name for which no browser can have stored an exception.
    let image: String

    package init(id: String, image: String) {
        self.id = id
        self.image = image
    }
}

/// The result of the check. GET `/trust/result?id=…`.
package struct TrustResultPage: Page {
    package static let template = "trust-result"

    package enum Outcome: Sendable {
        case trusts, notYet
        /// It trusts the certificate but is not known here, so nothing can be remembered.
        case unknown
        /// It trusts the certificate, but a router asks for all devices.
        case router
        /// It trusts the certificate, but the image was loaded from an address that is not known as its own.
        case elsewhere
    }

    package let title: String
    let isTrusting: Bool
    /// Whether it is shown the shield over HTTPS from now on.
    let isRemembered: Bool
    let isUnknown: Bool
    let isRouter: Bool
    let isElsewhere: Bool
    /// Whether the device asked this server for the one-time name.
    let hasAsked: Bool
    /// The address where pages now open without a warning; nil if HTTPS is not served.
    let secureHome: String?
    let isIOS: Bool
    let isAndroid: Bool

    package init(
        _ outcome: Outcome, hasAsked: Bool, secureHome: String?, system: ClientSystem = .other
    ) {
        isTrusting = outcome != .notYet
        isRemembered = outcome == .trusts
        isUnknown = outcome == .unknown
        isRouter = outcome == .router
        isElsewhere = outcome == .elsewhere
        self.hasAsked = hasAsked
        self.secureHome = secureHome
        title = isRemembered ? "This device trusts the shield" : isTrusting ? "Almost" : "Not yet"
        isIOS = system == .ios
        isAndroid = system == .android
    }
}
