/// What makes two questions one for upstreams: name, type, and the bits of the client that go along.
struct LookupKey: Hashable {
    private let name: [UInt8]
    private let type: UInt16
    private let variant: UInt8

    init(_ name: WireName, _ lookup: Responder.Lookup) {
        self.name = [UInt8](UnsafeBufferPointer(start: name.bytes, count: name.length))
        type = lookup.type
        variant = lookup.variant
    }
}
