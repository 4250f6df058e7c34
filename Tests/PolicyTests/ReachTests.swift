import Policy
import Testing

/// Our requests go to the internet and to the home, never to this machine.
@Suite struct ReachTests {
    @Test(
        "Private addresses of the home and public addresses are allowed",
        arguments: [
            [192, 168, 1, 20], [10, 0, 0, 5], [172, 16, 3, 1], [203, 0, 113, 7], [100, 64, 0, 1],
            [0xfd, 0x12] + [UInt8](repeating: 3, count: 14),
            [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [9],
        ] as [[UInt8]])
    func reached(address: [UInt8]) { #expect(Reach.allows(address, own: [[192, 168, 1, 2]])) }

    private static let zeros = [UInt8](repeating: 0, count: 10)

    @Test(
        "Loopback, link-local, multicast, unspecified and own addresses are refused, however they are written",
        arguments: [
            [127, 0, 0, 1], [127, 9, 9, 9], [0, 0, 0, 0], [169, 254, 169, 254], [224, 0, 0, 251],
            [255, 255, 255, 255], [192, 168, 1, 2], [],
            zeros + [0, 0, 0, 0, 0, 0], zeros + [0, 0, 0, 0, 0, 1],
            zeros + [0xff, 0xff, 127, 0, 0, 1], zeros + [0xff, 0xff, 192, 168, 1, 2],
            [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 169, 254, 169, 254],
            zeros + [0, 0, 127, 0, 0, 1], [0x20, 0x02, 0x7f, 0] + [UInt8](repeating: 0, count: 11) + [1],
            [0, 0x64, 0xff, 0x9b, 0, 1] + [UInt8](repeating: 7, count: 10),
            [0xfe, 0xc0] + [UInt8](repeating: 1, count: 14),
            [0xfe, 0x80] + [UInt8](repeating: 1, count: 14), [0xff, 0x02] + [UInt8](repeating: 0, count: 14),
        ] as [[UInt8]])
    func refused(address: [UInt8]) { #expect(!Reach.allows(address, own: [[192, 168, 1, 2]])) }
}
