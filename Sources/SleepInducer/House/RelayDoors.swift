import Shield

/// Whether names of relayed apps may lead to this machine. Their connections come to ports 80 and 443 of the address in
/// the answer. If nobody or another program answers there, open apps do not work.
enum RelayDoors {
    /// Why they may not, in a sentence for the page; nil: no reason is known.
    ///
    /// - Parameters:
    ///   - refused: addresses on which it could not listen; empty before the first try.
    ///   - listening: where this machine listens, and the addresses in its answers.
    static func fault(_ ports: Ports, refused: [RefusedBind] = [], _ listening: Listening) -> String? {
        guard let https = ports.https else {
            return "HTTPS is switched off on this server (--https-port off)."
        }
        guard ports.http == 80, https == 443 else {
            return "This server answers on ports \(ports.http) and \(https), but apps use 80 and 443."
        }
        // Answers never have link-local addresses, and nobody connects to an address that this machine does not have.
        let closed = refused.first { bind in
            !bind.address.contains("%") && !bind.isAbsent && listening.givesOut(bind.address)
        }
        return closed.map { "This server cannot answer on a port that apps use. \($0)" }
    }
}
