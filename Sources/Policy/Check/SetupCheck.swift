package import Foundation

/// What a device's live check found. The device loads one-time names under the server's own name. The addresses that
/// ask for them and load them show what stands between the device and this server.
package enum SetupCheck {
    /// How long a check's data is kept, in seconds.
    package static let lifetime: TimeInterval = 600

    /// The address types of a one-time name.
    package enum Family: String, Hashable, Sendable, CaseIterable { case either, v4, v6 }

    /// One question that came here for a one-time name, or one request that loaded it.
    package struct Question: Hashable, Sendable {
        /// 32 hex digits.
        package var id: String
        package var family: Family
        /// The address that asked or loaded, in canonical text; the hardware address if a forwarder named one.
        package var address: String
        /// Whether it asked for an HTTPS or SVCB record (RFC 9460) instead of an address.
        package var isServiceBinding: Bool

        package init(id: String, family: Family, address: String, isServiceBinding: Bool = false) {
            self.id = id
            self.family = family
            self.address = address
            self.isServiceBinding = isServiceBinding
        }

        /// The question as the device at an address asked it, if a forwarder named that device's hardware address.
        package func own(to address: String, having hardware: String?) -> Question {
            var question = self
            if self.address == hardware { question.address = address }
            return question
        }
    }

    /// A question that shows that a device has another way to resolve names.
    package enum Sign: Hashable, Sendable, CaseIterable {
        case encryptedDNS, browserCanary, privateRelay
        /// It looked for an encrypted way to reach its configured server (RFC 9462).
        case designatedResolver
    }

    /// The system that the browser reports.
    package enum System: String, Hashable, Sendable, CaseIterable {
        case apple, android, windows, linux, other
    }

    /// What keeps a device from asking here itself; `works` means that nothing does.
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        case works, routerAsks, ipv6Elsewhere, privateDNS, relayOrVPN, loop
        /// Nothing sends the device's questions here yet.
        case notPointed
    }

    package struct Finding: Hashable, Sendable {
        /// The likeliest first; several if the signs do not tell them apart.
        package var causes: [Cause]
        /// The address that asked in the device's place, if any.
        package var askedBy: String?
        /// Whether no question came here, so that the causes follow from signs alone.
        package var isSilence: Bool

        package init(causes: [Cause], askedBy: String? = nil, isSilence: Bool = false) {
            self.causes = causes
            self.askedBy = askedBy
            self.isSilence = isSilence
        }
    }
}
