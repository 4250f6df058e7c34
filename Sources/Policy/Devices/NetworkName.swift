import Foundation

/// What a network calls a device. The device chose the name when it asked for a lease, so it can be anything.
package enum NetworkName {
    /// The first label, with letters, digits and a few signs only, 60 characters at most; nil where that is no name: it
    /// is empty, a lease file's `*`, or only repeats one of the addresses.
    package static func cleaned(_ raw: String, addresses: [String] = []) -> String? {
        let label = raw.prefix(400).prefix { $0 != "." }
        var kept = String.UnicodeScalarView()
        var marks = 0
        for scalar in String(label).precomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber:
                marks = 0
            case .nonspacingMark, .spacingMark:
                marks += 1
                // More than two on a letter only make a heap.
                if marks > 2 || kept.isEmpty { continue }
            default:
                marks = 0
                guard signs.contains(scalar) else { continue }
            }
            kept.append(scalar)
        }
        let name = CleanName.cleaned(String(String.UnicodeScalarView(kept.prefix(CleanName.maximum))))
        guard name.contains(where: { $0.isLetter || $0.isNumber }), !meaningless.contains(name.lowercased()),
            !addresses.contains(where: { repeats(name, $0) })
        else { return nil }
        return name
    }

    private static let signs: Set<Unicode.Scalar> = ["-", "_", " ", "'", "\u{2019}", "(", ")", "+"]

    private static let meaningless: Set<String> = ["localhost", "unknown", "none", "null", "_gateway"]

    /// `192-168-1-20`, `dhcp-192-168-1-20`, `host20-1-168-192`.
    private static func repeats(_ name: String, _ address: String) -> Bool {
        func numbers(_ text: String) -> [Substring] {
            text.split { !("0"..."9").contains($0) }
        }
        let octets = address.split(separator: ".")
        guard octets.count == 4 else { return false }
        let found = numbers(name)
        return found == octets || found == octets.reversed()
    }
}

extension Household {
    /// Takes what the network calls a device; a name that a person gave stays. What was once heard stays known while the
    /// network says nothing. An unknown device is passed over.
    package mutating func learnNetworkName(_ id: DeviceID, _ raw: String) {
        guard let index = devices.firstIndex(where: { $0.id == id }),
            let name = NetworkName.cleaned(raw, addresses: devices[index].addresses)
        else { return }
        devices[index].networkName = name
        if !devices[index].isNamed { devices[index].name = name }
    }
}
