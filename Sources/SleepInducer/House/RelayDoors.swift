import Shield
import Sockets

/// Whether names of relayed apps may lead to this machine: their connections come to ports 80 and 443 of the address
/// that is given out, and where somebody else answers there, or nobody, the apps are dead while they are open.
enum RelayDoors {
    /// Why they may not, in a sentence for the page; nil: they may, as far as is known.
    ///
    /// - Parameters:
    ///   - refused: what could not be listened on; nothing before it was tried.
    ///   - listening: where this machine listens, and what it gives out.
    static func fault(_ ports: Ports, refused: [RefusedBind] = [], _ listening: Listening) -> String? {
        guard let https = ports.https else {
            return "HTTPS is switched off on this server (--https-port off)."
        }
        guard ports.http == 80, https == 443 else {
            return "This server answers on ports \(ports.http) and \(https), but apps use 80 and 443."
        }
        // Link-local addresses are never given out, and at an address that is not there nobody comes by.
        let closed = refused.first { bind in
            !bind.address.contains("%") && !bind.isAbsent && listening.givesOut(bind.address)
        }
        return closed.map { "This server cannot answer on a port that apps use. \($0)" }
    }
}
