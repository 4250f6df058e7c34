import Glibc

/// Reads addresses as people and tables write them.
enum IPText {
    static func isAddress(_ text: String) -> Bool {
        let bare = String(text.prefix { $0 != "%" })
        // Room for the longer of the two; what is read is not looked at.
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { room in
            inet_pton(AF_INET, text, room.baseAddress!) == 1
                || inet_pton(AF_INET6, bare, room.baseAddress!) == 1
        }
    }
}
