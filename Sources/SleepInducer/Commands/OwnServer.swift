import Cluster
import Foundation
import Glibc
import LocalNetwork
import Policy

/// The server of a folder's household, as a command stops and starts it: by its unit, if systemd runs one for that folder.
struct OwnServer {
    private let place: DataPlace
    private let unit: SystemUnit?

    init(_ place: DataPlace) {
        self.place = place
        unit = SystemUnit(
            "sleep-inducer", running: URL(fileURLWithPath: place.directory).standardizedFileURL.path)
    }

    /// Whether systemd runs it.
    var hasUnit: Bool { unit != nil }

    /// Carries something out while the server does not run. Afterwards it runs, or runs again.
    func stopped<Value>(_ body: () throws -> Value) throws -> Value {
        let ran = unit?.isActive == true
        if ran { try unit?.stop() }
        do {
            guard ran || !isAnswering else {
                throw Complaint(
                    "A server runs on \(place.directory), and systemd does not run it. Stop it first, and start it again "
                        + "afterwards.")
            }
            let value = try body()
            try unit?.start()
            return value
        } catch {
            if ran { try? unit?.start() }
            throw error
        }
    }

    private var isAnswering: Bool {
        (try? ControlClient(directory: place.directory).ask(.healthy)) != nil
    }

    /// Where nothing starts the server by itself.
    func sayWhatToStart() {
        if !hasUnit { print("Start the server now: systemd does not run it.") }
    }

    /// Until the others know that it is there, and it knows what they have.
    func waitUntilInTouch(_ file: ClusterFile) throws {
        guard hasUnit else { return sayWhatToStart() }
        let limit = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < limit {
            if let status = try? Nodes.status(file, knowing: nil),
                let own = status.members.first(where: \.isThisOne), own.isHere, own.behind == 0, isAnswering
            {
                switch status.members.count - 1 {
                case 0: print("It serves.")
                case 1: print("It serves, in touch with the other machine.")
                case let others: print("It serves, in touch with \(others) others.")
                }
                return
            }
            usleep(200_000)
        }
        throw Complaint(
            "The server was started, but is not in touch yet. See sleep-inducer cluster status, and: journalctl -u "
                + "sleep-inducer")
    }
}
