import Foundation
import GRDB
import Policy
import Synchronization
import Testing

@testable import Store

/// Several stores that agree on their changes, as nodes do over etcd.
struct SharingTests {
    private static func rename(_ node: SharingNode, to name: String, _ keeping: Keeping = .onDisk) throws {
        try node.store.change(keeping: keeping) { household, log in
            household.people[0].name = name
            log.append(
                LogEntry(
                    .ruleChanged, person: household.people[0].id, at: Date(milliseconds: 7), detail: name))
        }
    }

    private static func lines(_ node: SharingNode) throws -> [String] {
        try node.store.log(of: node.store.household.people[0].id).map(\.detail).sorted()
    }

    @Test("News of people leave the devices alone: a session begins, ends, and another person comes and goes")
    func newsOfPeople() throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        let mia = Person(id: try a.store.newPersonID(), name: "Mia", role: .child)
        let changes: [(inout Household) -> Void] = [
            { $0.devices.append(.example(7, person: me)) },
            { $0.people[0].session = .example(strictness: .strict) },
            { $0.people[0].name = "Ada" },
            { $0.people[0].session = nil },
            { $0.people.append(mia) },
            { $0.newDevicesBelongTo = mia.id },
            { household in
                household.people.removeAll { $0.id == mia.id }
                household.newDevicesBelongTo = nil
            },
        ]
        for change in changes {
            try a.store.change { change(&$0) }
            let news = table.state.withLock { state in
                SharedNews(
                    head: state.head, isWhole: false, puts: state.latest.puts, removals: state.latest.removals
                )
            }
            try b.store.hear(news)
            #expect(a.store.household == b.store.household)
        }
    }

    @Test
    func aRuleIsAppliedAgainToWhatAnotherNodeMadeOfIt() throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        for _ in 0..<3 {
            for node in [a, b] { try node.store.change { $0.people[0].name += "x" } }
        }
        try a.hear()
        #expect(a.store.household.people[0].name.hasSuffix("xxxxxx"))
        #expect(a.store.household == b.store.household)
        #expect(a.store.head?.number == 7)
    }

    @Test
    func aCutOffNodeRefusesChangesAndTellsLaterWhatCouldNotWait() throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        table.state.withLock { $0.isThere = false }
        #expect(throws: StoreError.cutOff(reason: "etcd does not answer")) { try Self.rename(b, to: "No") }
        #expect(b.store.household == a.store.household)
        try Self.rename(b, to: "Here", .evenInMemory)
        let login = try b.store.createLogin(at: Date(milliseconds: 5))
        #expect(b.store.household.people[0].name == "Here")
        #expect(b.store.isUntold && !a.store.isUntold)
        table.state.withLock { $0.isThere = true }
        try a.store.change { $0.people[0].defaultStrictness = .strict }
        try b.hear()
        #expect(b.store.household.people[0].defaultStrictness == .strict)
        #expect(b.store.household.people[0].name == "Here")
        try b.store.tellOthers()
        #expect(!b.store.isUntold)
        try a.hear()
        #expect(a.store.household == b.store.household)
        #expect(a.store.household.people[0].name == "Here")
        #expect(try Self.lines(a) == ["Here"] && Self.lines(b) == ["Here"])
        #expect(a.store.login(token: login.token, at: Date(milliseconds: 6)) != nil)
    }

    private struct Unforeseen: Error {}

    /// The head was deleted; etcd says what nobody foresaw; there is too much for it; sealing fails.
    @Test(
        arguments: [
            HeadMoved(), StoreError.cutOff(reason: "etcd said: x"), StoreError.refused(reason: "x"),
            Unforeseen(),
        ] as [any Error & Sendable])
    func whatMayHoldInMemoryHoldsAtOnceAfterAnyFailureToAgree(fault: any Error & Sendable) throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        table.state.withLock { $0.fault = fault }
        let begun = ContinuousClock.now
        try Self.rename(b, to: "Here", .evenInMemory)
        let login = try b.store.createLogin(at: Date(milliseconds: 5))
        #expect(ContinuousClock.now - begun < .seconds(2))
        #expect(b.store.household.people[0].name == "Here" && b.store.isUntold)
        #expect(b.store.login(token: login.token, at: Date(milliseconds: 6)) != nil)
        table.state.withLock { $0.fault = nil }
        try b.store.tellOthers()
        try a.hear()
        #expect(a.store.household.people[0].name == "Here")
        #expect(a.store.login(token: login.token, at: Date(milliseconds: 6)) != nil)
    }

    @Test(arguments: [false, true])
    func whatIsTooMuchForOneProposalIsToldInParts(isCutOff: Bool) throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        let mia = PersonID(rawValue: 1_000_002)
        table.state.withLock { $0.isThere = !isCutOff }
        try b.store.change(keeping: .evenInMemory) { household, log in
            household.people.append(Person(id: mia, name: "Mia", role: .child))
            household.devices += (1...250).map {
                Device(
                    id: DeviceID(rawValue: 1_000_000 + $0), name: "Device \($0)", person: mia,
                    addresses: ["10.0.0.\($0)"], firstSeen: Date(milliseconds: 5),
                    lastSeen: Date(milliseconds: 5))
            }
            log.append(LogEntry(.ruleChanged, person: mia, at: Date(milliseconds: 7), detail: "Many"))
        }
        #expect(b.store.isUntold)
        table.state.withLock { $0.isThere = true }
        let before = table.state.withLock { $0.head.number }
        try b.store.tellOthers()
        #expect(!b.store.isUntold && table.state.withLock { $0.head.number } - before == 3)
        #expect(table.state.withLock { $0.stories.count } == 1)
        try a.hear()
        #expect(a.store.household.devices.count == 250)
        #expect(a.store.household.devices.allSatisfy { $0.person == mia })
        #expect(try a.store.log(of: mia).map(\.detail) == ["Many"])
        // And everybody's devices go again.
        table.state.withLock { $0.isThere = !isCutOff }
        try b.store.change(keeping: .evenInMemory) { household, _ in household.devices = [] }
        table.state.withLock { $0.isThere = true }
        try b.store.tellOthers()
        try a.hear()
        #expect(a.store.household.devices.isEmpty)
    }

    @Test
    func whatOthersChangedMeanwhileGoesOverWhatACutOffNodeChanged() throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        table.state.withLock { $0.isThere = false }
        try Self.rename(b, to: "Mine", .evenInMemory)
        table.state.withLock { $0.isThere = true }
        try Self.rename(a, to: "Theirs")
        try b.hear()
        try b.store.tellOthers()
        try a.hear()
        #expect(a.store.household.people[0].name == "Theirs")
        #expect(b.store.household == a.store.household)
        // Both are in the log of both.
        #expect(try Self.lines(a) == ["Mine", "Theirs"] && Self.lines(b) == ["Mine", "Theirs"])
    }

    @Test
    func aDeviceThatTwoCutOffNodesMetIsOneDevice() throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        func meet(_ node: SharingNode) throws {
            let id = try node.store.newDeviceID()
            try node.store.change(keeping: .evenInMemory) { household in
                household.devices.append(
                    Device(
                        id: id, name: "Phone", addresses: [], hardwareAddress: "02:00:00:00:00:01",
                        firstSeen: noon,
                        lastSeen: noon))
            }
        }
        table.state.withLock { $0.isThere = false }
        try meet(b)
        table.state.withLock { $0.isThere = true }
        try meet(a)
        #expect(a.store.household.devices[0].id.rawValue < 1_000_000)
        #expect(b.store.household.devices[0].id.rawValue == 1_000_001)
        try b.hear()
        try b.store.tellOthers()
        try a.hear()
        #expect(a.store.household.devices.map(\.id) == b.store.household.devices.map(\.id))
        #expect(a.store.household.devices.count == 1)
    }

    @Test
    func tokensLogoutsAndThePasscodeAreTheSameOnAllNodes() throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        let token = try a.store.createToken(name: "scripts", at: Date(milliseconds: 5))
        let login = try a.store.createLogin(at: Date(milliseconds: 5))
        try a.store.setPasscodeHash("scrypt$1", keeping: login.token)
        try b.hear()
        #expect(b.store.token(matching: token)?.name == "scripts")
        #expect(b.store.isSetUp && b.store.secret == a.store.secret)
        try b.store.endAllLogins()
        try b.store.revokeToken(try #require(b.store.tokens.first).id)
        try a.hear()
        #expect(a.store.loginCount == 0 && a.store.tokens.isEmpty)
    }

    @Test
    func whatCannotBeReadChangesNothingAndWhatIsUnknownStays() throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        let name = a.store.household.people[0].name
        table.state.withLock { state in
            let person = state.texts["document/person/1"] ?? ""
            state.texts["document/person/1"] = "{\"ofTomorrow\":[1,{\"a\":null}]," + person.dropFirst()
            state.texts["document/house/1"] = "{\"timeZone\":7}"
            state.head.revision += 1
        }
        try a.hear()
        #expect(a.store.household.people[0].name == name && a.store.household.timeZone == "Europe/Berlin")
        try Self.rename(a, to: "Ada")
        try b.hear()
        #expect(b.store.household.people[0].name == "Ada")
        let text = try #require(table.state.withLock { $0.texts["document/person/1"] })
        #expect(text.contains("\"ofTomorrow\":[1,{\"a\":null}]"))
    }

    @Test(arguments: [true, false])
    func aChangeWaitsWhileANodeIsLinkedAnew(isThere: Bool) async throws {
        let table = SharedTableOfNodes()
        let a = try SharingNode(table, 0)
        table.state.withLock { $0.isLinked = false }
        // What must not wait holds at once.
        try Self.rename(a, to: "Urgent", .evenInMemory)
        #expect(a.store.isUntold)
        let begun = ContinuousClock.now
        let change = Task.detached { try Self.rename(a, to: "Waited") }
        // Whether the change asks before or after this, it sees the end of the link.
        table.state.withLock { ($0.isLinked, $0.isThere) = (true, isThere) }
        if isThere { try a.store.tellOthers() }
        a.store.noteCutOff(isThere ? nil : "etcd does not answer")
        if isThere {
            try await change.value
        } else {
            await #expect(throws: StoreError.cutOff(reason: "etcd does not answer")) {
                try await change.value
            }
        }
        #expect(a.store.household.people[0].name == (isThere ? "Waited" : "Urgent"))
        #expect(ContinuousClock.now - begun < .seconds(2), "nobody waits until the end of the patience")
    }

    @Test
    func aStateThatIsOlderThanWhatANodeAgreedOnTakesNothingBack() throws {
        let table = SharedTableOfNodes()
        let a = try SharingNode(table, 0)
        let read = table.whole
        try Self.rename(a, to: "Acknowledged")
        try a.store.hear(read)
        #expect(a.store.household.people[0].name == "Acknowledged")
        #expect(a.store.head == table.state.withLock { $0.head })
    }

    @Test
    func whatANewerBuildWroteBeforeTheMachinesWereSeveralStays() throws {
        let scratch = Scratch()
        do { try scratch.open().change { $0.people[0].name = "Ada" } }
        try scratch.set("ofTomorrow", to: "json('[1,{\"a\":null}]')", in: "person")
        try scratch.seal()
        let table = SharedTableOfNodes()
        let a = try SharingNode(table, 0, scratch.open())
        let b = try SharingNode(table, 1)
        for (node, name) in [(a, "Eva"), (b, "Ida")] {
            try Self.rename(node, to: name)
            for node in [a, b] {
                try node.hear()
                let kept = try node.store.read { db in
                    try String.fetchOne(db, sql: "SELECT json FROM shared WHERE name = 'document/person/1'")
                }
                let text = try #require(table.state.withLock { $0.texts["document/person/1"] })
                #expect(text.contains("\"ofTomorrow\":[1,{\"a\":null}]") && text.contains(name))
                #expect(kept == text)
            }
        }
    }

    @Test
    func oneMachineKeepsNothingOfIt() throws {
        let table = SharedTableOfNodes()
        let a = try SharingNode(table, 0)
        try a.store.endSharing()
        table.state.withLock { $0.isThere = false }
        try Self.rename(a, to: "Alone")
        #expect(!a.store.isShared && a.store.head == nil)
    }

    @Test
    func aMachineThatWasAnotherNodeHasNumbersAgain() throws {
        let b = try SharingNode(SharedTableOfNodes(), 1)
        #expect(try b.store.newPersonID().rawValue > 1_000_000)
        try b.store.endSharing()
        try b.store.share(by: b, as: 0)
        let id = try b.store.newPersonID()
        #expect(id.rawValue < 1_000_000 && id != b.store.household.people[0].id)
    }

    @Test
    func whoJoinsLaterHearsNothingOfAPersonWhoWasRemoved() throws {
        let table = SharedTableOfNodes()
        let a = try SharingNode(table, 0)
        let child = Person(id: try a.store.newPersonID(), name: "Mia")
        try a.store.change { household, log in
            household.people.append(child)
            log.append(LogEntry(.helpUsed, person: child.id, at: Date(milliseconds: 7), detail: "of Mia"))
        }
        try a.store.change { $0.people.removeAll { $0.name == "Mia" } }
        let late = try SharingNode(table, 1)
        #expect(late.store.household == a.store.household)
        #expect(try late.store.log(of: nil).allSatisfy { $0.detail != "of Mia" })
    }

    private static func merged(
        _ base: String, _ mine: String, _ theirs: String, _ preference: JSONValue.Preference
    ) throws -> String? {
        try JSONValue.merged(
            base: JSONValue(json: base), mine: JSONValue(json: mine), theirs: JSONValue(json: theirs),
            preferring: preference)?.json
    }

    @Test
    func membersAreMergedOneByOne() throws {
        // What only the other knows stays.
        #expect(
            try Self.merged("{\"a\":1}", "{\"a\":2}", "{\"a\":1,\"z\":[1.5,true]}", .mine)
                == "{\"a\":2,\"z\":[1.5,true]}")
        // A member that went is gone.
        #expect(
            try Self.merged("{\"a\":1,\"b\":1}", "{\"a\":1}", "{\"a\":3,\"b\":1}", .theirs) == "{\"a\":3}")
        // Both changed it.
        #expect(try Self.merged("{\"a\":1}", "{\"a\":2}", "{\"a\":3}", .theirs) == "{\"a\":3}")
        #expect(try Self.merged("{\"a\":1}", "{\"a\":2}", "{\"a\":3}", .mine) == "{\"a\":2}")
        // Elements with an id are themselves wherever they stand.
        #expect(
            try Self.merged(
                "[{\"id\":1,\"n\":1},{\"id\":2}]", "[{\"id\":1,\"n\":2},{\"id\":2},{\"id\":4}]",
                "[{\"id\":2,\"m\":5},{\"id\":1,\"n\":1},{\"id\":3}]", .theirs)
                == "[{\"id\":1,\"n\":2},{\"id\":2,\"m\":5},{\"id\":4},{\"id\":3}]")
        #expect(try Self.merged("[1,2]", "[1,2,3]", "[0,2]", .theirs) == "[0,2]")
        // By their places, elements without an id keep what only the other knows.
        #expect(
            try Self.merged(
                "[{\"a\":1},{\"a\":2}]", "[{\"a\":2},{\"a\":3}]", "[{\"a\":1,\"z\":1},{\"a\":2,\"z\":2}]",
                .mine)
                == "[{\"a\":2,\"z\":2},{\"a\":3}]")
    }
}
