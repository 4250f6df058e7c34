import ArgumentParser
import DNS
import Policy

/// A value of `--upstream`: `9.9.9.9`, `tls://1.1.1.1#cloudflare-dns.com`, `https://dns.quad9.net/dns-query`, in the
/// notation that AdGuard Home and dnsproxy have too.
struct UpstreamChoice: Equatable {
    let server: UpstreamServer

    /// - Throws: its fault, in a sentence.
    init(_ text: String) throws {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        if parts.count == 1 {
            guard let plain = ServerAddress(argument: text) else { throw Self.fault(Self.forms) }
            server = UpstreamServer(try Self.address(plain, port: 53))
            return
        }
        switch parts[0].lowercased() {
        case "tls": server = try Self.overTLS(parts[1])
        case "https": server = try Self.overHTTPS(parts[1])
        case let scheme: throw Self.fault("\(scheme):// is not supported. \(Self.forms)")
        }
    }

    /// `HOST[:853][#name]`.
    private static func overTLS(_ rest: String) throws -> UpstreamServer {
        let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let place = try place(parts[0], port: 853)
        guard parts.count > 1 else {
            return UpstreamServer(transport: .tls, place: place, authenticationName: name(of: place))
        }
        guard let name = DomainName(parts[1]) else {
            throw fault("Write the name in the server's certificate after #, such as #dns.example.")
        }
        return UpstreamServer(transport: .tls, place: place, authenticationName: name.description)
    }

    /// `HOST[:443]/path`.
    private static func overHTTPS(_ rest: String) throws -> UpstreamServer {
        guard let slash = rest.firstIndex(of: "/") else {
            throw fault("The path is missing; most servers have /dns-query.")
        }
        let path = String(rest[slash...])
        guard !path.contains(where: { "{}#? ".contains($0) }), path.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { throw fault("The path must be plain, such as /dns-query.") }
        let place = try place(String(rest[..<slash]), port: 443)
        return UpstreamServer(
            transport: .https(path: path), place: place, authenticationName: name(of: place))
    }

    private static func address(_ address: ServerAddress, port: Int) throws -> UpstreamAddress {
        guard let address = UpstreamAddress(address.host, port: address.port ?? port) else {
            throw fault(ChosenUpstreams.missingZone)
        }
        return address
    }

    private static func name(of place: UpstreamServer.Location) -> String? {
        if case .name(let name, _) = place { name } else { nil }
    }

    private static func place(_ text: String, port: Int) throws -> UpstreamServer.Location {
        if let address = ServerAddress(argument: text) {
            return .address(try Self.address(address, port: port))
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let number = parts.count > 1 ? UInt16(parts[1]) : UInt16(port)
        guard parts.count <= 2, let number, number > 0, let name = DomainName(parts[0]),
            parts[0].contains(where: \.isLetter)
        else { throw fault("\(text) is neither an address nor a name. \(forms)") }
        return .name(name.description, port: Int(number))
    }

    private static let forms =
        "Use an address, tls://ADDR[:853][#name] or https://HOST/dns-query."

    private static func fault(_ text: String) -> ValidationError { ValidationError(text) }
}
