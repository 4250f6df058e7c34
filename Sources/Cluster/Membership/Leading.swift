import Foundation
import Store

extension Nodes {
    /// Puts the household, as its nodes agreed on it last, into a new etcd, from which a new reign goes on.
    ///
    /// - Parameter roll: all nodes that belong to the household.
    /// - Returns: what this node's file says from then on.
    static func lead(
        _ store: HouseholdStore, _ file: ClusterFile, _ roll: [Int: MemberValue], with access: EtcdAccess,
        directory: String
    ) throws -> ClusterFile {
        guard let agreed = store.agreed else { throw ClusterFault.noHousehold }
        let (place, vault) = (EtcdKeys(of: file.household), Vault(file.keys))
        var file = file
        file.etcd = access
        file.reign = Reign(
            number: file.presentReign.number + 1, node: file.node,
            fork: .init(
                number: agreed.head.number, chain: agreed.head.chain, texts: Proof.digest(agreed.texts)))
        var puts: [String: Data] = [:]
        for (name, text) in agreed.texts {
            puts[place.text(name)] = vault.seal(text, at: place.text(name))
            puts[place.fork(name)] = vault.seal(text, at: place.fork(name))
        }
        for (number, member) in roll {
            puts[place.node(number)] = try vault.seal(member, at: place.node(number))
        }
        for name in Replica.files {
            let bytes = FileManager.default.contents(atPath: "\(directory)/\(name)")
            puts[place.file(name)] = bytes.map { vault.current.seal($0, for: place.file(name)) }
        }
        puts.merge(try history(of: store, until: agreed.head.number, place, vault, file.node)) { $1 }
        let number = agreed.head.number + 1
        let proof = Proof(
            of: agreed.texts, after: Head(revision: 0, number: agreed.head.number, chain: agreed.head.chain),
            story: nil)
        let head = HeadValue(number: number, node: file.node, count: agreed.texts.count, proof: proof)
        let step = StoryValue(id: UUID(), node: file.node, texts: proof.texts)
        try within(access) { client in
            for part in portions(puts) { _ = try client.commit(EtcdTransaction(puts: part)) }
            _ = try client.commit(
                EtcdTransaction(
                    comparing: [place.head: 0],
                    puts: [
                        place.head: try vault.seal(head, of: place),
                        place.story(number): try vault.seal(step, at: place.story(number)),
                    ]))
        }
        return file
    }

    /// What happened so far, in place of the stories of the last changes: a new node gets it from there.
    private static func history(
        of store: HouseholdStore, until number: Int64, _ place: EtcdKeys, _ vault: Vault, _ node: Int
    ) throws -> [String: Data] {
        let stories = try store.storiesToShare().suffix(Int(clamping: number))
        var puts: [String: Data] = [:]
        for (index, story) in stories.enumerated() {
            let at = place.story(number - Int64(stories.count) + Int64(index) + 1)
            puts[at] = try vault.seal(StoryValue(id: UUID(), node: node, story: story), at: at)
        }
        return puts
    }
}
