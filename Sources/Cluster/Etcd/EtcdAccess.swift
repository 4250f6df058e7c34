import Foundation

/// How the store of all nodes is reached: the same on every node, so an invitation carries it.
package struct EtcdAccess: Codable, Hashable, Sendable {
    /// `http://10.0.0.2:2379` or `https://…`, in the order in which they are asked.
    package var endpoints: [String]
    /// With a password; nil: etcd asks for none.
    package var user: String?
    package var password: String?
    /// PEM. Nil: the authorities that this machine trusts.
    package var authority: String?
    /// A client's certificate and its key, PEM; nil: etcd asks for none.
    package var certificate: String?
    package var key: String?
    /// Whether it is the household's own (`OwnEtcd`), whose members say where it is; nil: somebody else runs it.
    package var isOwn: Bool?

    package init(endpoints: [String]) { self.endpoints = endpoints }

    /// Why a text is no endpoint; nil: it is one.
    package static func objection(to endpoint: String) -> String? {
        guard let url = URL(string: endpoint), let host = url.host(), !host.isEmpty,
            url.scheme == "http" || url.scheme == "https", url.user() == nil,
            url.path().isEmpty || url.path() == "/"
        else { return "\(endpoint) is not an address of etcd. Write it as http://192.168.1.2:2379." }
        return nil
    }
}
