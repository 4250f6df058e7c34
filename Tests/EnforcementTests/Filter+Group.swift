import DNS
import Directory

extension Filter {
    /// The group of a client whose hardware address cannot be seen.
    func group(of client: ClientAddress) -> Int? {
        groups(of: directory.answer(client, nil)).first
    }
}
