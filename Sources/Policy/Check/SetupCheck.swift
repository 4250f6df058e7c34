package import Foundation

/// What a device's live check brought to light. The device loaded one-time names under the server's own; who asked for
/// them, and from where they were loaded, tells what stands between the device and this server.
package enum SetupCheck {
    /// How long anything of a check is kept, in seconds.
    package static let lifetime: TimeInterval = 600

    /// Which addresses a one-time name has.
    package enum Family: String, Hashable, Sendable, CaseIterable { case either, v4, v6 }

    /// One question that came here for a one-time name, or one time that it was loaded.
    package struct Question: Hashable, Sendable {
        /// 32 hex digits.
        package var id: String
        package var family: Family
        /// Canonical text of whoever asked, or loaded it; the hardware address of a device that a forwarder asked for.
        package var address: String
        /// Whether it asked for an HTTPS or SVCB record (RFC 9460) instead of an address.
        package var isServiceBinding: Bool

        package init(id: String, family: Family, address: String, isServiceBinding: Bool = false) {
            self.id = id
            self.family = family
            self.address = address
            self.isServiceBinding = isServiceBinding
        }

        /// As the device at an address asked it, where a forwarder named that device's hardware address instead.
        package func own(to address: String, having hardware: String?) -> Question {
            var question = self
            if self.address == hardware { question.address = address }
            return question
        }
    }

    /// A question by which a device shows that it has another way to resolve names.
    package enum Sign: Hashable, Sendable, CaseIterable {
        case encryptedDNS, browserCanary, privateRelay
        /// It looked for an encrypted way to ask the server that it has (RFC 9462).
        case designatedResolver
    }

    /// What the browser says that it runs on.
    package enum System: String, Hashable, Sendable, CaseIterable {
        case apple, android, windows, linux, other
    }

    /// What keeps a device from asking here itself; `works` is that nothing does.
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        case works, routerAsks, ipv6Elsewhere, privateDNS, relayOrVPN, loop
        /// Nothing points the device here yet.
        case notPointed
    }

    package struct Finding: Hashable, Sendable {
        /// The likeliest first; more than one where the signs do not tell them apart.
        package var causes: [Cause]
        /// Who asked in the device's place, where somebody did.
        package var askedBy: String?
        /// Whether nothing came here at all, so that the causes follow from signs alone.
        package var isSilence: Bool

        package init(causes: [Cause], askedBy: String? = nil, isSilence: Bool = false) {
            self.causes = causes
            self.askedBy = askedBy
            self.isSilence = isSilence
        }
    }
}
