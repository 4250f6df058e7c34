import Glibc

/// Reads addresses as people and tables write them.
enum IPText {
    static func isAddress(_ text: String) -> Bool {
        var v4 = in_addr()
        var v6 = in6_addr()
        let bare = String(text.prefix { $0 != "%" })
        return inet_pton(AF_INET, text, &v4) == 1 || inet_pton(AF_INET6, bare, &v6) == 1
    }
}
