/// Public names that may lead into the home. For all others an enrolled device gets no private address, so that no site
/// can reach the router through a browser (DNS rebinding).
package enum PrivateAnswers {
    /// Names whose owners answer with the asking home's addresses, and that every home may meet.
    package static let shipped: Set = ["plex.direct"]
}

extension Household {
    /// Replaces the list by these names, typed as `DomainName` takes them.
    package mutating func setPrivateAnswers(_ typed: [String]) throws(Refusal) {
        var names: Set<String> = []
        for name in typed where !name.allSatisfy(\.isWhitespace) {
            names.insert(try DomainName(typed: name).text)
        }
        guard names.count <= Self.maximumDomains else { throw .tooManyDomains }
        privateAnswers = names
    }
}
