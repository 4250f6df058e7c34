import Cluster
import Dashboard
import Policy
import Store

extension MachineActs {
    /// The same as the commands do. They ask etcd, so they have threads of their own.
    init(_ replica: Replica, _ ground: Ground) {
        let (directory, store) = (ground.directory, ground.store)
        self.init(
            invite: {
                try await Self.carryOut {
                    MachineInvitation(code: try replica.invite().text, seconds: Int(Invitation.seconds))
                }
            },
            remove: { node in
                try await Self.carryOut {
                    guard let machine = replica.members.first(where: { $0.node == node }) else {
                        throw ClusterFault.unknownNode("\(node)")
                    }
                    try Nodes.takeOut(
                        machine.name, Self.file(in: directory), directory: directory, knowing: store.head)
                }
            },
            lead: { try await Self.carryOut { try replica.leadHere(in: directory) } },
            letter: { replica.letter(to: $0) }, invitation: { try replica.invitation($0) })
    }

    private static func file(in directory: String) throws(ClusterFault) -> ClusterFile {
        guard let file = try ClusterFile.read(directory: directory) else { throw .noHousehold }
        return file
    }

    private static func carryOut<Value: Sendable>(_ act: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        do { return try await onSharedThreads { try act() } } catch let fault as ClusterFault {
            throw MachineRefusal(reason: fault.description)
        } catch { throw MachineRefusal(reason: "\(error)") }
    }
}

extension Replica {
    /// Lets this machine lead, with an etcd that it begins.
    func leadHere(in directory: String) throws {
        try lead {
            guard let address = OwnEtcd.homeAddress() else {
                throw ClusterFault.other("This machine is in no home network. Nothing was changed.")
            }
            return try OwnEtcd(directory: directory).begin(at: address, as: node, now: MachineClock.instant())
        }
    }
}
