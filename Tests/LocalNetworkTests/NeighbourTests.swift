import Directory
import LinuxCalls
import Testing

@testable import LocalNetwork

@Suite struct NeighbourTests {
    private static func bytes<T: BitwiseCopyable>(_ value: T) -> [UInt8] {
        withUnsafeBytes(of: value, Array.init)
    }

    private static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        bytes(rtattr(rta_len: UInt16(4 + value.count), rta_type: UInt16(type))) + value
            + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }

    private static func message(_ type: Int32, _ body: [UInt8]) -> [UInt8] {
        var header = nlmsghdr()
        header.nlmsg_len = UInt32(16 + body.count)
        header.nlmsg_type = UInt16(type)
        return bytes(header) + body
    }

    private static func neighbour(_ family: Int32, _ state: Int32, _ address: [UInt8], _ hardware: [UInt8])
        -> [UInt8]
    {
        var body = ndmsg()
        body.ndm_family = UInt8(family)
        body.ndm_ifindex = 2
        body.ndm_state = UInt16(state)
        return message(
            Int32(RTM_NEWNEIGH),
            bytes(body) + attribute(Int(NDA_DST), address) + attribute(Int(NDA_LLADDR), hardware))
    }

    private let mac: [UInt8] = [0x02, 0, 0xAB, 0, 0x0C, 0xFF]
    private let fourth: [UInt8] = [192, 168, 1, 20]
    private let sixth: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [7]

    @Test func bothFamilies() {
        let datagram =
            Self.neighbour(2, NUD_REACHABLE, fourth, mac) + Self.neighbour(10, NUD_STALE, sixth, mac)
            + Self.message(NLMSG_DONE, [0, 0, 0, 0])
        let reply = NeighbourReply(datagram[...]) { $0 == 2 ? "eth0" : nil }
        #expect(
            reply.neighbours == [
                Neighbour(
                    address: IPAddress("192.168.1.20")!, hardware: MACAddress("02:00:ab:00:0c:ff")!,
                    interface: "eth0",
                    isFresh: true),
                Neighbour(
                    address: IPAddress("fe80::7")!, hardware: MACAddress("02:00:ab:00:0c:ff")!,
                    interface: "eth0",
                    isFresh: false),
            ])
        #expect(reply.isLast)
        #expect(reply.errorCode == nil)
    }

    @Test(arguments: [NUD_INCOMPLETE, NUD_FAILED, NUD_NOARP])
    func withoutAnAnswerThereIsNone(state: Int32) {
        #expect(NeighbourReply(Self.neighbour(2, state, fourth, mac)[...]) { _ in "eth0" }.neighbours.isEmpty)
    }

    @Test func withoutHardwareAddressThereIsNone() {
        let zero = [UInt8](repeating: 0, count: 6)
        for hardware in [zero, [], [1, 2, 3]] {
            let datagram = Self.neighbour(2, NUD_REACHABLE, fourth, hardware)
            #expect(NeighbourReply(datagram[...]) { _ in "eth0" }.neighbours.isEmpty)
        }
    }

    @Test func errorIsTold() {
        let reply = NeighbourReply(Self.message(NLMSG_ERROR, Self.bytes(Int32(-1)))[...])
        #expect(reply.errorCode == 1)
    }

    @Test func everyCutIsHarmless() {
        let datagram = Self.neighbour(2, NUD_REACHABLE, fourth, mac)
        for length in 0..<datagram.count {
            #expect(NeighbourReply(datagram[..<length]) { _ in "eth0" }.neighbours.isEmpty)
        }
    }

    @Test func kernelAnswers() throws {
        for neighbour in try NeighbourTable.current() {
            #expect(IPAddress(neighbour.address.text) == neighbour.address)
            #expect(MACAddress(neighbour.hardware.text) == neighbour.hardware)
        }
    }
}
