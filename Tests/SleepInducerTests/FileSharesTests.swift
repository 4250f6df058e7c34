import DNS
import Shield
import Testing

@testable import SleepInducer

@Suite struct FileSharesTests {
    @Test(
        "What everybody may open fits into what the process may",
        arguments: [144, 200, 256, 1024, 4096, 65_536])
    func fits(limit: Int) throws {
        for loops in [1, 2, 4] {
            let shares = FileShares(limit: limit, loops: loops, addresses: 1)
            try shares.check()
            let (door, names) = (shares.door, shares.names)
            let most =
                door.strangers + door.guests + door.leaving + 2 * door.passing + shares.viewers
                + loops * (2 * names.connections + 2 * names.questions + names.streams)
            #expect(most <= limit - shares.needed, "\(limit) files, \(loops) loops")
            #expect(
                min(
                    door.strangers, door.guests, door.leaving, door.passing, names.connections, shares.viewers
                ) > 0)
        }
    }

    @Test("Where there is plenty, nothing is less than it would be")
    func plenty() {
        let shares = FileShares(limit: 65_536, loops: 4, addresses: 6)
        #expect(shares.door.guests == DoorLimits().guests)
        #expect(shares.door.passing == DoorLimits().passing)
        #expect(shares.door.guestsPerHolder == DoorLimits().guestsPerHolder)
        #expect(shares.names == DNS.Resolver.Configuration.Bounds())
    }

    @Test("Places for viewers that were asked for are kept, and the others share what is left")
    func viewers() throws {
        let shares = FileShares(limit: 20_000, loops: 2, addresses: 1, viewers: 19_500)
        try shares.check()
        #expect(shares.viewers == 19_500)
        #expect(shares.door.guests < 100)
        #expect(throws: FewFiles.self) {
            try FileShares(limit: 20_000, loops: 2, addresses: 1, viewers: 19_900).check()
        }
    }

    @Test("Too few are said before anything begins")
    func tooFew() {
        #expect(throws: FewFiles.self) { try FileShares(limit: 64, loops: 2, addresses: 1).check() }
    }
}
