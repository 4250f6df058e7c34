import DNS
import Dashboard
import LocalNetwork
import Logging
import Outbound

extension Courier {
    /// Sends uploads to other servers. This server's own upstreams resolve the names, and nothing is sent back to this
    /// machine. The log has neither token nor body.
    init(_ ground: Ground, resolver: DNS.Resolver) {
        let (machine, logger) = (ground.machine, ground.logger)
        let client = SafeClient(
            lookUp: { await resolver.addresses(of: $0) },
            own: { machine.addresses().map(\.address) })
        self.init { letter in
            let headers = [
                (name: "Authorization", value: "Bearer \(letter.token)"),
                (name: "Content-Type", value: "application/json"),
                (name: "Accept", value: "application/json"),
            ]
            do throws(Outbound.Fault) {
                let reply =
                    switch letter.method {
                    case .post:
                        try await client.post(
                            url: letter.url, headers: headers, body: letter.body, timeout: .seconds(15))
                    case .patch:
                        try await client.patch(
                            url: letter.url, headers: headers, body: letter.body, timeout: .seconds(15))
                    }
                logger.debug("An upload was answered", metadata: ["status": "\(reply.status)"])
                return .reply(status: reply.status, body: reply.body)
            } catch {
                logger.notice("An upload did not arrive", metadata: ["reason": "\(error)"])
                return .failed(error.description)
            }
        }
    }
}
