import Foundation
import Logging
import Testing
import X509

@testable import Identity
@testable import SleepInducer

/// The certificate of the server's own names and addresses.
@Suite struct LeafTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let subject = LeafSubject(
        names: ["sleep.home.arpa", "pi"], addresses: [[192, 168, 1, 5]])

    private static func keeper(_ folder: URL) -> LeafKeeper {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return LeafKeeper(
            directory: folder.path,
            authorities: AuthorityKeeper(directory: folder.path, logger: logger), logger: logger)
    }

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "leaf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func itIsKeptWhereOnlyTheServerMayLook() throws {
        let folder = try Self.folder()
        let leaf = try #require(Self.keeper(folder).renewed(for: Self.subject, at: Self.now))
        let file = folder.appending(path: "tls/own.pem").path
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = Self.keeper(folder)
        #expect(again.renewed(for: Self.subject, at: Self.now)?.certificate == leaf.certificate)
        #expect(again.renewed(for: Self.subject, at: Self.now) == nil)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func itIsForServersAndLivesNoLongerThanAppleAllows() throws {
        let certificate = try OwnLeaf(for: Self.subject, at: Self.now).certificate
        #expect(certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore) < 825 * 86_400)
        #expect(try certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
        #expect(try certificate.extensions.basicConstraints == .notCertificateAuthority)
        #expect(
            try certificate.extensions.subjectAlternativeNames.map { Set($0) } == Set(Self.subject.general))
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var subject = LeafTests.subject
        var days = 0.0
        var isRenewed: Bool
    }

    @Test(arguments: [
        Change(testDescription: "nothing", isRenewed: false),
        Change(testDescription: "an hour", days: 1 / 24, isRenewed: false),
        Change(testDescription: "a month before its end", days: 366, isRenewed: false),
        Change(testDescription: "the last month", days: 368, isRenewed: true),
        Change(testDescription: "a clock set back by years", days: -3000, isRenewed: true),
        Change(
            testDescription: "a new address",
            subject: LeafSubject(names: ["sleep.home.arpa"], addresses: [[192, 168, 1, 6]]), isRenewed: true),
        Change(
            testDescription: "fewer names", subject: LeafSubject(names: ["pi"], addresses: []),
            isRenewed: false),
    ])
    func itIsRenewedWhenItDoesNotServeAnyMore(change: Change) throws {
        let folder = try Self.folder()
        let keeper = Self.keeper(folder)
        let first = try #require(keeper.renewed(for: Self.subject, at: Self.now))
        let later = Self.now.addingTimeInterval(change.days * 86_400)
        let second = keeper.renewed(for: change.subject, at: later)
        #expect((second != nil) == change.isRenewed)
        if let second {
            #expect(second.serves(change.subject, at: later))
            #expect(second.certificate.publicKey == first.certificate.publicKey)
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: ["", "garbage", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func aDamagedFileIsReplaced(text: String) throws {
        let folder = try Self.folder()
        let tls = folder.appending(path: "tls")
        try FileManager.default.createDirectory(at: tls, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: tls.appending(path: "own.pem"))
        #expect(Self.keeper(folder).renewed(for: Self.subject, at: Self.now) != nil)
        #expect(Self.keeper(folder).renewed(for: Self.subject, at: Self.now) != nil)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aFolderThatCannotBeWrittenStillGivesACertificate() {
        let keeper = Self.keeper(URL(filePath: "/proc/nowhere"))
        #expect(keeper.renewed(for: Self.subject, at: Self.now) != nil)
        #expect(keeper.renewed(for: Self.subject, at: Self.now) == nil)
    }
}
