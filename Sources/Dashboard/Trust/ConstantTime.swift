/// Whether two byte strings are equal; the time depends only on their lengths.
func constantTimeEqual(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}

func constantTimeEqual(_ a: String, _ b: String) -> Bool {
    constantTimeEqual(Array(a.utf8), Array(b.utf8))
}
