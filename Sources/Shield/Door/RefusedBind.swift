import Glibc
import NIOCore

/// An address and port on which the server could not listen, with the reason for the terminal.
package struct RefusedBind: Error, Sendable, CustomStringConvertible {
    package var address: String
    package var port: Int
    package var reason: String
    /// Whether this machine does not have the address, or not yet.
    package var isAbsent = false

    package init(address: String, port: Int, error: any Error) {
        self.address = address
        self.port = port
        isAbsent = (error as? IOError)?.errnoCode == EADDRNOTAVAIL
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: reason = "another program listens there already"
        case EACCES, EPERM:
            reason =
                "not permitted (it needs root or CAP_NET_BIND_SERVICE; a container, --cap-add NET_BIND_SERVICE)"
        case EADDRNOTAVAIL: reason = "this machine does not have that address (yet)"
        case EAFNOSUPPORT: reason = "this machine does not speak that protocol"
        default: reason = "\(error)"
        }
    }

    package var description: String {
        let host = address.contains(":") ? "[\(address)]" : address
        return "Port \(port) on \(host): \(reason)."
    }
}
