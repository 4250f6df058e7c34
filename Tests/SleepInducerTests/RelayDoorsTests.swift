import ArgumentParser
import LocalNetwork
import NIOCore
import Shield
import Testing

@testable import SleepInducer

/// Names of relayed apps lead to ports 80 and 443: only where this server answers there.
@Suite struct RelayDoorsTests {
    private static let home = Listening(machine: [], bind: ["192.168.1.5", "fd00::5"], advertised: nil)

    private func ports(_ arguments: String...) throws -> Ports {
        Ports(try ServeCommand.parse(arguments), mayOpenLowPorts: true)
    }

    private func refused(_ address: String, _ port: Int, _ code: Int32 = 98) -> RefusedBind {
        RefusedBind(address: address, port: port, error: IOError(errnoCode: code, reason: "bind"))
    }

    @Test func itNeedsBothPorts() throws {
        #expect(RelayDoors.fault(try ports(), Self.home) == nil)
        for other in [["--https-port", "off"], ["--https-port", "8443"], ["--http-port", "8080"]] {
            let ports = Ports(try ServeCommand.parse(other), mayOpenLowPorts: true)
            #expect(RelayDoors.fault(ports, Self.home) != nil)
        }
        #expect(RelayDoors.fault(Ports(try ServeCommand.parse([]), mayOpenLowPorts: false), Self.home) != nil)
    }

    @Test func aPortOfAnotherProgramIsNotServed() throws {
        let fault = RelayDoors.fault(try ports(), refused: [refused("192.168.1.5", 443)], Self.home)
        #expect(fault?.contains("another program") == true)
        // An IPv6 address that the kernel still checks, and one that is never given out.
        for bind in [refused("fd00::5", 443, 99), refused("fe80::5%eth0", 443)] {
            #expect(RelayDoors.fault(try ports(), refused: [bind], Self.home) == nil)
        }
    }

    @Test func onlyTheAddressThatIsGivenOutCounts() throws {
        let named = Listening(machine: [], bind: ["192.168.1.5", "fd00::5"], advertised: "192.168.1.5")
        #expect(RelayDoors.fault(try ports(), refused: [refused("fd00::5", 443)], named) == nil)
        #expect(RelayDoors.fault(try ports(), refused: [refused("192.168.1.5", 80)], named) != nil)
    }
}
