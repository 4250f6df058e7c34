/// Questions with equal keys share one exchange: name, type, and the client's DO and CD.
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
