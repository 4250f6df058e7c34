import Assets
import Crypto
import Foundation
import Logging
import Policy
import Testing
import X509

@testable import Identity
@testable import SleepInducer

/// The household's authority: what it may speak for, and what others make of it.
@Suite struct AuthorityTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    static let ownNames = ["sleep.home.arpa", "pi", "pi.local"]

    static func shipped(_ ownApps: [App] = []) throws -> AuthorityScope {
        AuthorityScope(
            ownNames: ownNames,
            catalog: try ShippedCatalog.load(from: AssetLibrary(directory: nil)).adding(ownApps))
    }

    static func ownApp(_ domains: [String]) -> App {
        App(
            id: "own-app", name: "App", category: Category.own.id, suffixes: domains,
            pages: domains.flatMap { [$0, "www.\($0)"] })
    }

    @Test(arguments: [
        ("instagram.com", true), ("www.instagram.com", true), ("www.tiktok.com", true),
        ("youtube.com", true), ("m.youtube.com", true), ("www.amazon.de", true),
        ("sleep.home.arpa", true), ("abc.check.sleep.home.arpa", true), ("*.check.sleep.home.arpa", true),
        ("pi.local", true), ("pi", false), ("home.arpa", false), ("other.local", false),
        ("www.paypal.com", false), ("revolut.com", false), ("accounts.google.com", false),
        ("mail.google.com", false), ("www.nhs.uk", false), ("login.live.com", false), ("dropbox.com", false),
        ("com", false), ("notinstagram.com", false), ("instagram.com.evil.example", false), ("", false),
        ("*", false), ("*.com", false), ("instagram.com.", false), ("192.168.1.5", false),
    ])
    func itSpeaksForPagesOfTheShippedCatalog(name: String, isPermitted: Bool) throws {
        #expect(try Self.shipped().permits(name) == isPermitted)
    }

    @Test(
        arguments: [
            ([10, 1, 2, 3], true), ([172, 31, 0, 1], true), ([172, 32, 0, 1], false),
            ([192, 168, 1, 5], true),
            ([192, 169, 0, 1], false), ([100, 64, 0, 1], true), ([100, 128, 0, 1], false),
            ([127, 0, 0, 1], true),
            ([8, 8, 8, 8], false), ([169, 254, 9, 9], true), ([], false),
            ([0xFD] + [UInt8](repeating: 1, count: 15), true),
            ([0xFE, 0xBF] + [UInt8](repeating: 1, count: 14), true),
            ([0x20, 0x01] + [UInt8](repeating: 1, count: 14), false),
            ([UInt8](repeating: 0, count: 15) + [1], true),
        ] as [([UInt8], Bool)])
    func itSpeaksForAddressesThatAreNobodysOnTheInternet(address: [UInt8], isPermitted: Bool) throws {
        #expect(try Self.shipped().permits(address) == isPermitted)
    }

    @Test func itsShelvesAreThoseOfTheCatalog() throws {
        let catalog = try ShippedCatalog.load(from: AssetLibrary(directory: nil))
        #expect(Set(AuthorityScope.shelves).isSubset(of: catalog.categories.map(\.id)))
    }

    @Test("The first page of every app on its shelves has a place, however many apps there are")
    func everyAppHasAPlace() throws {
        let catalog = try ShippedCatalog.load(from: AssetLibrary(directory: nil))
        let scope = try Self.shipped()
        let first = AuthorityScope.shelves.flatMap(catalog.apps(in:)).compactMap(\.pages.first)
        #expect(first.filter { !scope.permits($0) }.isEmpty)
    }

    @Test func ownAppsTakeNoPageAPlace() throws {
        let own = try Self.shipped([Self.ownApp((0..<40).map { "own\($0).example" })])
        let before = try Self.shipped()
        #expect(own.missing(from: before).isEmpty)
        #expect(own.permits("own39.example"))
    }

    @Test func thereIsRoomForOwnApps() throws {
        let scope = try Self.shipped()
        print("The household's authority speaks for \(scope.permitted.count) names")
        #expect(scope.permitted.count <= AuthorityScope.mostNames - AuthorityScope.placesForOwnApps)
        #expect(scope.excluded.isEmpty)
        let domains = (0..<3000).map { "own\($0).example" }
        let full = try Self.shipped([Self.ownApp(domains)])
        #expect(full.permitted.count <= AuthorityScope.mostNames)
        #expect(full.permits("sleep.home.arpa"))
        #expect(!full.permits("www.instagram.com"))
    }

    @Test func whatIsOfNoShelfStaysOutsideAlsoBelowAnOwnApp() throws {
        let scope = try Self.shipped([Self.ownApp(["google.com"])])
        #expect(scope.permits("news.google.com"))
        #expect(!scope.permits("accounts.google.com"))
        #expect(!scope.permits("mail.google.com"))
        #expect(!scope.permits("x.accounts.google.com"))
    }

    @Test func whatIsMissingIsWhatCameLater() throws {
        let before = try Self.shipped()
        #expect(before.missing(from: before).isEmpty)
        #expect(before.missing(from: try Self.shipped([Self.ownApp(["new.example"])])) == ["new.example"])
        let moved = AuthorityScope(
            ownNames: ["bed.lan"], catalog: Catalog(categories: [], apps: [], alwaysReachable: []))
        #expect(before.missing(from: moved) == ["bed.lan"])
    }

    @Test func itIsWrittenAsTheStandardSays() throws {
        let scope = try Self.shipped([Self.ownApp(["google.com"])])
        let authority = try HouseholdAuthority(scope: scope, at: Self.now)
        let certificate = authority.certificate
        print("Its certificate has \(authority.der.count) bytes")
        // Firefox reads no more than 65,535.
        #expect(authority.der.count < 32_768)
        #expect(try certificate.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        #expect(try certificate.extensions.keyUsage == KeyUsage(keyCertSign: true))
        #expect(try certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
        #expect(certificate.extensions[oid: .X509ExtensionID.basicConstraints]?.critical == true)
        #expect(certificate.extensions[oid: .X509ExtensionID.keyUsage]?.critical == true)
        #expect(certificate.extensions[oid: .X509ExtensionID.nameConstraints]?.critical == true)
        let constraints = try #require(try certificate.extensions.nameConstraints)
        #expect(AuthorityScope(constraints) == scope)
        #expect(try HouseholdAuthority(pem: authority.pem).fingerprint == authority.fingerprint)
    }

    @Test(arguments: [
        ("sleep.home.arpa", true), ("0123456789abcdef.check.sleep.home.arpa", true), ("pi.local", true),
        ("pi", false), ("192.168.1.5", true), ("8.8.8.8", false), ("other.home.arpa", false),
    ])
    func opensslBelievesTheOwnLeaf(host: String, isContent: Bool) throws {
        let authority = try HouseholdAuthority(scope: try Self.shipped(), at: Self.now)
        let subject = LeafSubject(
            names: ["sleep.home.arpa", "*.check.sleep.home.arpa", "pi", "pi.local"],
            addresses: [[192, 168, 1, 5], [8, 8, 8, 8]])
        let leaf = try OwnLeaf(for: subject, by: authority, at: Self.now)
        #expect(leaf.serves(subject, by: authority, at: Self.now))
        let lifetime = leaf.certificate.notValidAfter.timeIntervalSince(leaf.certificate.notValidBefore)
        #expect(lifetime <= 398 * 86_400)
        let verdict = try OpenSSL.verifies(
            leaf.certificate, under: authority.certificate, host: host, at: Self.now)
        #expect(verdict.isContent == isContent, "\(verdict.output)")
    }

    @Test(arguments: [
        ("www.instagram.com", true), ("www.paypal.com", false), ("bank.example", false),
    ])
    func opensslHoldsTheKeyToItsScope(name: String, isContent: Bool) throws {
        let authority = try HouseholdAuthority(scope: try Self.shipped(), at: Self.now)
        // As a thief would, who asks no mint.
        let leaf = try authority.leaf(
            for: LeafSubject(names: [name], addresses: []), called: name, key: .init(), from: Self.now,
            to: Self.now.addingTimeInterval(86_400))
        let verdict = try OpenSSL.verifies(leaf, under: authority.certificate, host: name, at: Self.now)
        #expect(verdict.isContent == isContent, "\(verdict.output)")
        if !isContent { #expect(verdict.output.contains("permitted subtree violation")) }
    }

    @Test func itIsKeptWhereOnlyTheServerMayLook() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let keeper = AuthorityKeeper(directory: folder.path, logger: Self.logger)
        #expect(keeper.current == nil)
        let made = try keeper.make(try Self.shipped(), at: Self.now)
        for (path, mode) in [("tls", 0o700), ("tls/ca.pem", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.appending(path: path).path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        let again = AuthorityKeeper(directory: folder.path, logger: Self.logger)
        #expect(again.current?.fingerprint == made.fingerprint)
        #expect(again.valid(at: Self.now.addingTimeInterval(3653 * 86_400)) == nil)
        #expect(again.valid(at: Self.now.addingTimeInterval(-2 * 86_400)) == nil)
        let another = try again.make(try Self.shipped(), at: Self.now)
        #expect(another.fingerprint != made.fingerprint)
        #expect(another.name != made.name)
    }

    @Test func oneThatCannotBeKeptIsNotUsed() throws {
        let keeper = AuthorityKeeper(directory: "/proc/nowhere", logger: Self.logger)
        let scope = try Self.shipped()
        #expect(throws: (any Error).self) { try keeper.make(scope, at: Self.now) }
        #expect(keeper.current == nil)
    }

    @Test(arguments: ["", "garbage", "own"])
    func aDamagedFileIsNone(text: String) throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let tls = folder.appending(path: "tls")
        try FileManager.default.createDirectory(at: tls, withIntermediateDirectories: true)
        let subject = LeafSubject(names: ["sleep.home.arpa"], addresses: [])
        // A server's own certificate is no authority.
        let content = text == "own" ? try OwnLeaf(for: subject, at: Self.now).pem : text
        try Data(content.utf8).write(to: tls.appending(path: "ca.pem"))
        let keeper = AuthorityKeeper(directory: folder.path, logger: Self.logger)
        #expect(keeper.current == nil)
        let made = try keeper.make(try Self.shipped(), at: Self.now)
        let again = AuthorityKeeper(directory: folder.path, logger: Self.logger)
        #expect(again.current?.fingerprint == made.fingerprint)
    }

    @Test func theOwnLeafFollowsTheAuthority() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let authorities = AuthorityKeeper(directory: folder.path, logger: Self.logger)
        let keeper = LeafKeeper(directory: folder.path, authorities: authorities, logger: Self.logger)
        let subject = LeafSubject(names: ["sleep.home.arpa"], addresses: [[192, 168, 1, 5]])
        let alone = try #require(keeper.renewed(for: subject, at: Self.now))
        #expect(alone.certificate.issuer == alone.certificate.subject)
        let authority = try authorities.make(try Self.shipped(), at: Self.now)
        let vouched = try #require(keeper.renewed(for: subject, at: Self.now))
        #expect(vouched.certificate.issuer == authority.certificate.subject)
        #expect(vouched.certificate.publicKey == alone.certificate.publicKey)
        #expect(keeper.renewed(for: subject, at: Self.now) == nil)
        let other = try authorities.make(try Self.shipped(), at: Self.now)
        let renewed = try #require(keeper.renewed(for: subject, at: Self.now))
        #expect(renewed.certificate.issuer == other.certificate.subject)
        // An authority for another name vouches for nothing of this one.
        let elsewhere = LeafSubject(names: ["bed.lan"], addresses: [])
        let own = try #require(keeper.renewed(for: elsewhere, at: Self.now))
        #expect(own.certificate.issuer == own.certificate.subject)
    }

    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
