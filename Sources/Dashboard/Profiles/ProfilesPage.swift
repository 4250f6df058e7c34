import Pages

/// Apple's profiles, as three separate files, so that nobody installs more than they want. GET `/profiles`.
package struct ProfilesPage: Page {
    package static let template = "profiles"

    package let title = "Profiles for Apple devices"
    let isApple: Bool
    let hasCertificate: Bool
    /// If false, there is no profile for DNS: `isUnknown` if this device never asked here, `isUnserved` if HTTPS or DNS
    /// is off.
    let hasDNS: Bool
    let isUnknown: Bool
    let isUnserved: Bool
    /// The address that the bookmark opens.
    let home: String
    /// This server's addresses in the profile; a new address of the machine needs a new profile.
    let addresses: String

    package init(
        system: ClientSystem, hasCertificate: Bool, isKnown: Bool, isServed: Bool, home: String,
        addresses: [String]
    ) {
        isApple = system == .ios || system == .mac
        self.hasCertificate = hasCertificate
        isUnserved = !isServed
        isUnknown = isServed && hasCertificate && !isKnown
        hasDNS = isServed && hasCertificate && isKnown
        self.home = home
        self.addresses = addresses.joined(separator: ", ")
    }
}
