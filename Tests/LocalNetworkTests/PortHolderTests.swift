import Glibc
import Testing

@testable import LocalNetwork

@Suite struct PortHolderTests {
    @Test("The kernel's tables name listening sockets, IPv4 and IPv6") func tables() {
        let fourth = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 00000000:0035 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 644 1 0
               1: 3500007F:0035 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 645 1 0
               2: 0100007F:0035 0100007F:CE4C 01 00000000:00000000 03:000012B0 00000000     0        0 646 3 0
               3: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 647 1 0
            """
        let found = PortHolder.sockets(in: fourth, port: 53, transport: .tcp)
        #expect(
            found == [.init(address: "0.0.0.0", inode: "644"), .init(address: "127.0.0.53", inode: "645")])
        let sixth = "0: 000080FE00000000FF00FC000100FEFF:0035 0:0 07 0:0 0:0 0 0 0 99 2 0"
        let bound = PortHolder.sockets(in: sixth, port: 53, transport: .udp)
        #expect(bound == [.init(address: "fe80::fc:ff:fffe:1", inode: "99")] || bound.first?.inode == "99")
        #expect(bound.first?.address.hasPrefix("fe80::") == true)
    }

    @Test("Only a socket for every address, or for a wanted one, is in the way") func inTheWay() {
        #expect(PortHolder(address: "0.0.0.0").isInTheWay(of: ["192.168.1.5"]))
        #expect(PortHolder(address: "192.168.1.5").isInTheWay(of: ["192.168.1.5"]))
        #expect(!PortHolder(address: "127.0.0.53").isInTheWay(of: ["127.0.0.1", "192.168.1.5"]))
    }

    @Test("A socket that systemd keeps for a service belongs to that service") func keptSocket() {
        #expect(PortHolder.owner(among: [1, 812]) == 812)
        #expect(PortHolder.owner(among: [812, 1]) == 812)
        #expect(PortHolder.owner(among: [1]) == 1)
        #expect(PortHolder.owner(among: []) == nil)
    }

    @Test("This process is found by its own port") func ownSocket() throws {
        let file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(file, generic, length)
                getsockname(file, generic, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        let holder = try #require(PortHolder.current(port: port, transport: .udp).first)
        #expect(holder.address == "127.0.0.1")
        #expect(holder.processID == getpid())
        #expect(holder.program != nil)
        #expect(PortHolder.current(port: port, transport: .tcp).isEmpty)
    }
}
