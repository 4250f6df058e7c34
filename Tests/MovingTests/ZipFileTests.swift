import Foundation
import Testing

@testable import Moving

/// Archives with stored entries, made by hand; Python's `zipfile` makes deflated ones in `Tests/Whole/test_moving_in.py`.
@Suite struct ZipFileTests {
    /// A zip archive with stored entries, as APPNOTE has it.
    static func zip(
        _ entries: [(name: String, content: [UInt8])], method: UInt16 = 0, size: Int? = nil, flags: UInt16 = 0
    ) -> Data {
        func bytes(_ number: Int, _ length: Int) -> [UInt8] {
            (0..<length).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var (file, directory): ([UInt8], [UInt8]) = ([], [])
        for (name, content) in entries {
            let sum = Int(Inflation.checksum(of: content))
            let common =
                bytes(20, 2) + bytes(Int(flags), 2) + bytes(Int(method), 2) + bytes(0, 4) + bytes(sum, 4)
                + bytes(content.count, 4) + bytes(size ?? content.count, 4) + bytes(name.utf8.count, 2)
                + bytes(0, 2)
            directory +=
                bytes(0x0201_4B50, 4) + bytes(20, 2) + common + bytes(0, 10) + bytes(file.count, 4)
                + Array(name.utf8)
            file += bytes(0x0403_4B50, 4) + common + Array(name.utf8) + content
        }
        let end =
            bytes(0x0605_4B50, 4) + bytes(0, 4) + bytes(entries.count, 2) + bytes(entries.count, 2)
            + bytes(directory.count, 4) + bytes(file.count, 4) + bytes(0, 2)
        return Data(file + directory + end)
    }

    private static let two: [(name: String, content: [UInt8])] = [
        ("etc/hosts", Array("127.0.0.1 localhost".utf8)), ("etc/pihole/pihole.toml", []),
    ]

    @Test func entriesAreReadByName() throws {
        let file = try ZipFile(Self.zip(Self.two))
        #expect(try file.content(of: "etc/hosts") == Data("127.0.0.1 localhost".utf8))
        #expect(try file.content(of: "etc/pihole/pihole.toml") == Data())
        #expect(try file.content(of: "etc/pihole/gravity.db") == nil)
    }

    @Test(arguments: ["../etc/passwd", "/etc/passwd", "a/../../b", "a\\..\\b", ".."])
    func namesThatLeadOutAreRefused(_ name: String) {
        #expect(throws: ForeignFault.archiveLeadsOut) { try ZipFile(Self.zip([(name, [1])])) }
    }

    /// Wherever an archive ends too early, and whatever byte differs, it is refused or read; it never traps.
    @Test func damagedArchivesAreRefused() throws {
        let whole = Self.zip(Self.two)
        for length in 0..<whole.count {
            #expect(throws: ForeignFault.self) { try ZipFile(Data(whole.prefix(length))) }
        }
        for index in whole.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var damaged = whole
                damaged[index] = value
                guard let file = try? ZipFile(damaged) else { continue }
                _ = try? file.content(of: "etc/hosts")
            }
        }
        var changed = whole
        changed[40] ^= 1
        #expect(throws: ForeignFault.brokenArchive) { try ZipFile(changed).content(of: "etc/hosts") }
    }

    @Test func whatClaimsToBeLargeOrLockedIsRefused() throws {
        let large = try ZipFile(Self.zip([("a", [1])], size: ZipFile.largestEntry + 1))
        #expect(throws: ForeignFault.archiveTooLarge) { try large.content(of: "a") }
        #expect(throws: ForeignFault.archiveLocked) { try ZipFile(Self.zip([("a", [1])], flags: 1)) }
        let odd = try ZipFile(Self.zip([("a", [0xFF, 0xFF])], method: 8))
        #expect(throws: ForeignFault.brokenArchive) { try odd.content(of: "a") }
    }

    @Test func anArchiveOfSomethingElseIsNoTeleporters() {
        #expect(throws: ForeignFault.notPiHole) { try ForeignFile.household(Self.zip(Self.two)) }
        let database: [UInt8] = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 5_000)
        let archive = Self.zip([("etc/pihole/gravity.db", database)])
        #expect(throws: ForeignFault.brokenDatabase) { try ForeignFile.household(archive) }
    }

    @Test func listsOfATOMLFile() {
        let arrays = TOMLArrays(
            #"""
            [dns]
              # hosts = [ "no" ]
              hosts = [
                "192.168.1.5 mias-phone", # a comment with ]
                '192.168.1.6 toms "phone"'
              ] ### CHANGED, default = []
              domain = "hosts = [ ]"
            [dns.cache]
              hosts = ["not", "these"]
            [dhcp]
              active = true ### CHANGED
              hosts = ["a,\"b\"", "c"]
            """#)
        #expect(arrays["dns", "hosts"] == ["192.168.1.5 mias-phone", "192.168.1.6 toms \"phone\""])
        #expect(arrays["dhcp", "hosts"] == ["a,\"b\"", "c"])
        #expect(arrays.isTrue("dhcp", "active") && !arrays.isTrue("dns", "active"))
        #expect(arrays["dns", "upstreams"].isEmpty)
    }
}
