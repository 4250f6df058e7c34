import Foundation
import Policy

/// Why something about the household's machines cannot be done, in a sentence that says what to do.
package enum ClusterFault: Error, Hashable, CustomStringConvertible {
    case unreadable(path: String)
    case unwritable(path: String)
    case etcd(EtcdFault)
    case unknownCode
    /// Used already, or older than ten minutes.
    case invitationOver
    /// Nothing answers where a code leads.
    case silentServer(String)
    /// The machine that made an invitation does not hear the others.
    case outOfTouch
    /// What answers there does not know the household.
    case foreignServer(String)
    /// The household's records in etcd are sealed with a key that this machine does not have.
    case foreignKey
    /// etcd holds nothing of this household.
    case noHousehold
    /// etcd knows less than this machine, as after a restored copy.
    case olderStore
    /// Records are missing in etcd that the last change counted.
    case incomplete
    /// The records in etcd do not fit the last change, or changes are missing after the last one that this machine knows.
    case foreignRecords
    /// Another machine took this one out of the household.
    case takenOut
    case unknownNode(String)
    /// The machine's build is from before changes had proofs.
    case outdated(String)
    /// Others changed the household all the time.
    case busy
    /// A machine's etcd is the only one that decides, and other machines need it.
    case onlyVoice
    /// One of etcd's members is away, and who votes cannot be changed.
    case incompleteVote
    case other(String)
    case tooManyNodes

    package var description: String {
        switch self {
        case .unreadable(let path):
            "\(path) cannot be read, so this machine does not know its household's other machines. "
                + "Put back a copy of the file, or make an invitation on another machine and join again."
        case .unwritable(let path): "\(path) cannot be written."
        case .etcd(let fault): "The household's store cannot be used: \(fault)."
        case .unknownCode:
            "This is no invitation, or a character of it is wrong. Copy the whole code, or type it again."
        case .invitationOver:
            "This invitation was used already, or is older than ten minutes. Make a new one: with cluster invite, or on the "
                + "page Machines."
        case .silentServer(let address):
            "\(address) does not answer. Both machines must be on, and in the same network."
        case .outOfTouch:
            "The machine that made this invitation is out of touch with the household's other machines. Its page Machines "
                + "says so until it is back. Then try again."
        case .foreignServer(let address):
            "What answers at \(address) is not the machine that made this invitation. Make a new one."
        case .foreignKey:
            "This machine's key does not open the household's records. If it was taken out of the household, run "
                + "cluster leave --alone here, and join again with an invitation."
        case .noHousehold:
            "There is no such household in etcd. Look at the addresses, or run cluster start on the machine that has it."
        case .olderStore:
            "etcd knows an older state of the household than this machine. If etcd was restored from a copy, run "
                + "cluster leave --alone on every machine, cluster start on the machine whose rules you keep, and join the others."
        case .incomplete:
            "Records of the household are missing in etcd. Run cluster leave --alone on every machine, cluster start on "
                + "one, and join the others."
        case .foreignRecords:
            "Records in etcd are not what the household's machines agreed on, so nothing of them counts. Start the other "
                + "machines: a machine that knows the last change puts the records right. If none does, run cluster leave "
                + "--alone on every machine, cluster start on the one whose rules you keep, and join the others."
        case .takenOut:
            "This machine was taken out of the household. Run cluster leave --alone here, and join again with an "
                + "invitation if it should belong to it."
        case .onlyVoice:
            "The household's only etcd is on that machine, and the others need it. Run cluster leave on them first, or "
                + "cluster vote on one of them."
        case .incompleteVote:
            "Who votes cannot be changed now: all machines with an etcd of the household must be on, and in touch. Start them, "
                + "and run sleep-inducer cluster vote on the machine that is to vote, or cluster leave on the one that goes."
        case .other(let words): words
        case .unknownNode(let name): "No machine of this household is called \(name). See cluster status."
        case .outdated(let name):
            "\(name) runs an older version. Update it first: it would not hear of the household's new key."
        case .busy: "The household changed all the time meanwhile. Nothing was done. Try again."
        case .tooManyNodes: "No more machines can join this household."
        }
    }
}

extension ClusterFault {
    private var sentences: [String] { description.components(separatedBy: ". ") }

    /// In the middle of a sentence.
    var inAPage: String {
        let first = sentences.first ?? ""
        let reason = first.hasSuffix(".") ? String(first.dropLast()) : first
        return switch self {
        case .etcd(let fault): fault.reason
        default: reason.prefix(1).lowercased() + reason.dropFirst()
        }
    }

    /// What to do, in whole sentences; empty: it passes by itself.
    var advice: String {
        if case .etcd(let fault) = self { return fault.advice }
        return sentences.dropFirst().joined(separator: ". ")
    }

    /// Whether no etcd answers, so that another one may have to begin.
    var isPerhapsForGood: Bool {
        guard case .etcd(let fault) = self else { return false }
        return fault.isWorthAnotherEndpoint || fault == .denied
    }

    var onAPage: HouseMachines.Fault { HouseMachines.Fault(reason: inAPage, advice: advice) }
}
