package import Policy
import SwiftASN1
import X509

/// What the household's authority may speak for, so that a stolen key cannot speak for a bank: the server's own names,
/// the household's own apps, the page hosts of the shelves below, and addresses that are nobody's on the internet.
package struct AuthorityScope: Hashable, Sendable {
    /// Apple refuses a chain whose authority has 1,024 subtrees or more (Security, `POLICY_SUBTREES_MAX`).
    static let mostNames = 1000
    /// Of these, the places that the shipped catalog's pages leave to own apps, so that no own app displaces a page.
    static let placesForOwnApps = 40

    /// Shelves on which a shield is worth a name; among pages that are worth the same, those of the first have it first.
    /// Money, health, mail, signing in, files and work are none of them.
    static let shelves = [
        "short-video", "social", "video", "forums", "games", "dating", "adult", "gambling", "news", "ai",
        "reading", "messengers", "music", "sports", "books", "shopping",
    ]

    /// Names that it may speak for, with everything below them (RFC 5280, 4.2.1.10), in alphabetical order.
    package let permitted: [String]
    /// Names below those that it may not speak for all the same.
    let excluded: [String]
    private let permittedSet: Set<String>
    private let excludedSet: Set<String>

    private init(permitted: Set<String>, excluded: Set<String>) {
        permittedSet = permitted
        excludedSet = excluded
        self.permitted = permitted.sorted()
        self.excluded = excluded.sorted()
    }

    /// A name of one label is left out: as a constraint, a machine called `app` would be a whole top-level domain.
    package init(ownNames: [String], catalog: Catalog) {
        var names = Set(ownNames.filter(DomainName.isFolded))
        func add(_ pages: [String], upTo most: Int) {
            for page in pages
            where names.count < most && !Self.covers(names, page) && DomainName.isFolded(page) {
                names.insert(page)
            }
        }
        let before = names.count
        let ownPages = catalog.apps(in: Category.own.id).flatMap(\.pages)
        add(ownPages.sorted(by: Self.isShorter), upTo: Self.mostNames)
        let free = max(0, Self.placesForOwnApps - (names.count - before))
        add(Self.shippedPages(of: catalog), upTo: Self.mostNames - free)
        let own = names
        let permitted = names.filter { name in
            !DomainName.withParents(name).dropFirst().contains(where: own.contains)
        }
        let kept = Set(Self.shelves + [Category.own.id])
        let others = catalog.apps.filter { !kept.contains($0.category) }.flatMap { $0.pages + $0.suffixes }
        let below = others.filter { Self.covers(permitted, $0) }.sorted(by: Self.isShorter)
        let excluded = below.reduce(into: Set<String>()) { excluded, name in
            let isOwn = ownNames.contains { DomainName.isUnder($0, name) }
            if excluded.count < Self.mostNames, !isOwn, !Self.covers(excluded, name) { excluded.insert(name) }
        }
        self.init(permitted: permitted, excluded: excluded)
    }

    /// Reads what `constraints` wrote.
    init(_ constraints: NameConstraints) {
        self.init(
            permitted: Set(constraints.permittedDNSDomains), excluded: Set(constraints.excludedDNSDomains))
    }

    var constraints: NameConstraints {
        NameConstraints(
            permittedDNSDomains: permitted, excludedDNSDomains: excluded,
            permittedIPRanges: Self.ranges.map { ASN1OctetString(contentBytes: ($0.base + $0.mask)[...]) })
    }

    /// Whether it may speak for a name; a wildcard counts as what it stands for.
    package func permits(_ name: String) -> Bool {
        let name = name.hasPrefix("*.") ? String(name.dropFirst(2)) : name
        return DomainName.isFolded(name) && Self.covers(permittedSet, name)
            && !Self.covers(excludedSet, name)
    }

    /// Whether it may speak for an address of 4 or 16 bytes.
    func permits(_ address: [UInt8]) -> Bool { Self.ranges.contains { $0.contains(address) } }

    /// What of a subject it may speak for.
    func part(of subject: LeafSubject) -> LeafSubject {
        LeafSubject(names: subject.names.filter(permits), addresses: subject.addresses.filter(permits))
    }

    /// The names of another scope that this one may not speak for.
    package func missing(from other: AuthorityScope) -> [String] { other.permitted.filter { !permits($0) } }

    private static func covers(_ names: Set<String>, _ name: String) -> Bool {
        DomainName.withParents(name).contains(where: names.contains)
    }

    /// The pages of the shelves in the order in which they get a place: there is no room for all, so the first page of
    /// every app comes before the second of any, and the apps that a shelf names first before the others.
    private static func shippedPages(of catalog: Catalog) -> [String] {
        let apps = shelves.flatMap { catalog.apps(in: $0).enumerated() }
            .sorted { $0.offset < $1.offset }.map(\.element)
        return apps.compactMap(\.pages.first)
            + apps.flatMap { $0.pages.dropFirst().sorted(by: isShorter) }
    }

    /// Parents before their children, so that these need no place of their own.
    private static func isShorter(_ first: String, _ second: String) -> Bool {
        first.utf8.count == second.utf8.count ? first < second : first.utf8.count < second.utf8.count
    }
}

extension AuthorityScope {
    /// Addresses that share a prefix.
    private struct Range {
        var base: [UInt8]
        var length: Int

        var mask: [UInt8] {
            base.indices.map { index in
                let bits = min(max(length - index * 8, 0), 8)
                return UInt8(truncatingIfNeeded: 0xFF << (8 - bits))
            }
        }

        func contains(_ address: [UInt8]) -> Bool {
            address.count == base.count
                && zip(zip(address, mask), base).allSatisfy { pair, base in pair.0 & pair.1 == base }
        }
    }

    /// RFC 1918, 6598, 3927, 1122, and 4193, 4291 for IPv6.
    private static let ranges: [Range] = [
        Range(base: [10, 0, 0, 0], length: 8), Range(base: [172, 16, 0, 0], length: 12),
        Range(base: [192, 168, 0, 0], length: 16), Range(base: [100, 64, 0, 0], length: 10),
        Range(base: [169, 254, 0, 0], length: 16), Range(base: [127, 0, 0, 0], length: 8),
        Range(base: [0xFC] + [UInt8](repeating: 0, count: 15), length: 7),
        Range(base: [0xFE, 0x80] + [UInt8](repeating: 0, count: 14), length: 10),
        Range(base: [UInt8](repeating: 0, count: 15) + [1], length: 128),
    ]
}
