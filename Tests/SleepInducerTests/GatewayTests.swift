import ArgumentParser
import DNS
import Directory
import Foundation
import LocalNetwork
import Logging
import Policy
import Synchronization
import Testing

@testable import Enforcement
@testable import SleepInducer

/// When the kernel's rules are changed, and what happens where they cannot be.
@Suite struct GatewayTests {
    @Test("Rules follow what holds and what was answered, and are handed over only where they differ")
    func follows() async throws {
        let world = GatewayWorld()
        let gateway = world.gateway()
        await gateway.look()
        #expect(world.applied.isEmpty, "nothing holds yet")
        try world.holds(1, isAsleep: false)
        world.answer("video.example", "203.0.113.9")
        await gateway.look()
        #expect(world.applied.count == 1 && world.rejected == [:])
        #expect(world.applied[0].groups.map(\.addresses) == [["10.0.0.2"]], "never the doorbell's")
        #expect(world.applied[0].groups[0].hardware == ["02:00:00:00:00:02"])
        world.answer("video.example", "203.0.113.9")
        await gateway.look()
        #expect(world.applied.count == 1)
        try world.holds(2, isAsleep: true)
        await gateway.look()
        #expect(world.rejected == ["203.0.113.9": "video.example"])
        let phone = try #require(ClientAddress("10.0.0.2"))
        // A forwarder, or an id in DNS over HTTPS, names it by the other.
        let named = ClientAddress(try #require(MACAddress("02:00:00:00:00:02")))
        let closed: Set = [ClientAddress("203.0.113.9")!]
        #expect(world.state.withLock { $0.closed } == [phone: closed, named: closed])
        world.answer("calm.example", "203.0.113.9")
        await gateway.look()
        #expect(world.rejected == [:], "shared by now")
        #expect(world.state.withLock { $0.closed.isEmpty })
        #expect(world.applied.count == 3)
    }

    @Test("An hour is counted from now, also where nothing has changed for longer")
    func oldSnapshot() async throws {
        let world = GatewayWorld()
        let gateway = world.gateway()
        world.answer("video.example", "203.0.113.9")
        try world.holds(1, isAsleep: true)
        await gateway.look()
        #expect(world.rejected?.count == 1)
        world.pass(3 * 3600)
        await gateway.becomeDue()
        world.answer("calm.example", "203.0.113.9")
        await gateway.look()
        #expect(world.rejected == [:])
        world.pass(3601)
        await gateway.becomeDue()
        await gateway.look()
        #expect(world.rejected == [:], "forgotten, so nothing closes it again")
    }

    @Test("What is in force stays for longer than the hour, and goes with the night")
    func wholeNight() async throws {
        let world = GatewayWorld()
        let gateway = world.gateway()
        world.answer("video.example", "203.0.113.9")
        try world.holds(1, isAsleep: true)
        await gateway.look()
        world.pass(7200)
        await gateway.becomeDue()
        try world.holds(2, isAsleep: true)
        await gateway.look()
        #expect(world.rejected == ["203.0.113.9": "video.example"])
        try world.holds(3, isAsleep: false)
        await gateway.look()
        world.pass(10)
        await gateway.becomeDue()
        try world.holds(4, isAsleep: true)
        await gateway.look()
        #expect(world.rejected == [:], "forgotten")
    }

    @Test("After a crash the first rules reject what the last ones did; a release opens it all the same")
    func takesOver() async throws {
        let world = GatewayWorld()
        world.state.withLock { $0.kept = ["203.0.113.9": "video.example", "203.0.113.8": "calm.example"] }
        let gateway = world.gateway()
        await gateway.takeOver()
        try world.holds(1, isAsleep: true)
        await gateway.look()
        #expect(world.applied.count == 1)
        #expect(world.rejected == ["203.0.113.9": "video.example"])
        try world.holds(2, isAsleep: false)
        await gateway.look()
        #expect(world.rejected == [:])
        world.state.withLock { $0.isRestart = true }
        await gateway.close()
        #expect(world.state.withLock { $0.removed } == 0, "the next one takes over again")
        world.state.withLock { $0.isRestart = false }
        await gateway.close()
        #expect(world.state.withLock { $0.removed } == 1)
    }

    @Test("A failure is told and tried again; a table that somebody flushed comes back")
    func failures() async throws {
        let world = GatewayWorld()
        world.state.withLock { $0.failure = "no" }
        let gateway = world.gateway()
        try world.holds(1, isAsleep: true)
        await gateway.look()
        #expect(world.condition.refused(by: Gateway.part) == ["no"])
        world.state.withLock { $0.failure = nil }
        await gateway.look()
        #expect(world.applied.isEmpty, "not ten times a second")
        world.pass(10)
        await gateway.becomeDue()
        await gateway.look()
        #expect(world.applied.count == 1 && world.condition.refused(by: Gateway.part) == [])
        world.state.withLock { $0.isInForce = false }
        world.pass(10)
        await gateway.becomeDue()
        await gateway.look()
        #expect(world.applied.count == 2)
        world.state.withLock { $0.detours = ["There is a detour."] }
        world.pass(10)
        await gateway.becomeDue()
        await gateway.look()
        #expect(world.applied.count == 2)
        #expect(world.condition.refused(by: Gateway.part) == [], "what goes by it is forgotten")
        world.state.withLock { $0.clearingFails = "It stays." }
        _ = await gateway.cleaner.round()
        world.pass(10)
        await gateway.becomeDue()
        await gateway.look()
        #expect(world.condition.refused(by: Gateway.part) == ["There is a detour. It stays."])
    }

    @Test("One device's many names push out no other's, and the kernel is told no more than it takes quickly")
    func floods() async throws {
        let world = GatewayWorld()
        let gateway = world.gateway()
        try world.holds(1, isAsleep: false)
        world.answer("video.example", "203.0.113.9", to: "10.0.0.3")
        await gateway.look()
        for number in 0..<AnsweredNames.mostAddresses + 100 {
            world.answer("n\(number).example", "20.0.\(number / 256).\(number % 256)")
        }
        await gateway.look()
        try world.holds(2, isAsleep: true)
        await gateway.look()
        #expect(world.rejected?["203.0.113.9"] == "video.example")
        #expect((1...AnsweredNames.mostAddresses).contains(world.rejected?.count ?? 0))
    }

    @Test("Servers of encrypted DNS that were looked up are refused; an upstream in the home is let be")
    func resolvers() async throws {
        let world = GatewayWorld()
        try world.holds(1, isAsleep: false)
        world.answer("dns.example", "203.0.113.50")
        await world.gateway().look()
        #expect(world.applied.last?.encryptedResolvers == ["8.8.8.8", "203.0.113.50"])
        let other = GatewayWorld()
        try other.holds(1, isAsleep: true)
        await other.gateway(upstreams: ["10.0.0.2"]).look()
        #expect(other.applied.last?.groups.allSatisfy { $0.addresses.isEmpty && $0.hardware.isEmpty } == true)
    }

    @Test func theDeskIsAnAddressTowardsTheHome() {
        let listening = Listening(machine: ListeningTests.machine, bind: [], advertised: nil)
        #expect(
            listening.desk(towards: ["eth0"], port: 53) == .init(v4: "192.168.1.5", v6: "fd00::5", port: 53))
        #expect(listening.desk(towards: ["wlan0"], port: 53) == .init(v4: nil, v6: nil, port: 53))
        let bound = Listening(machine: ListeningTests.machine, bind: ["192.168.1.5"], advertised: nil)
        #expect(bound.desk(towards: ["eth0"], port: 53) == .init(v4: "192.168.1.5", v6: nil, port: 53))
    }

    @Test func theFlag() throws {
        #expect(
            try ServeCommand.parse(["--gateway", "br0", "--gateway", "lan1"]).gateway == ["br0", "lan1"])
        #expect(throws: (any Error).self) {
            try ServeCommand.parse(["--gateway", "br0", "--dns-port", "off"])
        }
        let environment = ["SLEEP_INDUCER_GATEWAY": "br0,lan1"]
        #expect(
            EnvironmentFlags.adding(to: ["doctor"], from: environment)
                == ["doctor", "--gateway=br0", "--gateway=lan1"])
        #expect(EnvironmentFlags.adding(to: ["export"], from: environment) == ["export"])
    }
}
