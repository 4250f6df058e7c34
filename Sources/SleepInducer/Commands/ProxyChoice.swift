import ArgumentParser
import Directory

/// A value of `--behind-proxy`: `127.0.0.1`, `192.168.1.7,fd00::7` or `172.18.0.0/16`.
struct ProxyChoice {
    let networks: [ReverseProxies.Network]

    /// - Throws: its fault, in a sentence.
    init(_ text: String) throws {
        networks = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            guard let network = ReverseProxies.Network(part) else {
                throw ValidationError(
                    "\(part.isEmpty ? "Nothing" : part) is not the address of a reverse proxy. "
                        + "Use addresses or small networks, such as 127.0.0.1 or 172.18.0.0/16.")
            }
            return network
        }
    }
}

extension ServeCommand {
    var proxies: ReverseProxies { ReverseProxies(behindProxy.flatMap(\.networks)) }
}
