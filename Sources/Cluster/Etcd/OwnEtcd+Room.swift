import Foundation

/// Nobody else looks after the household's own etcd: if it is full, the machines make room in it.
extension OwnEtcd {
    func makeRoom(_ access: EtcdAccess) throws {
        guard let secrets = EtcdSecrets.read(directory: directory) else { return }
        let root = secrets.root(access)
        try Nodes.within(root) { try $0.compact() }
        for endpoint in access.endpoints {
            var one = root
            one.endpoints = [endpoint]
            // A member that is away raises the alarm again if it is still full.
            try? Nodes.within(one) { try $0.defragment() }
        }
        try Nodes.within(root) { try $0.disarm() }
    }
}
