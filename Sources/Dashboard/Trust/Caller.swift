import Pages
import Policy
import Store
import Synchronization

/// The sender of the running request. It is set in one place, where requests come in, and read in one place, where
/// rules change. So no page can forget to say who changed a rule.
struct Caller: Sendable {
    @TaskLocal static var current: Caller?

    let credential: Credential?
    /// Canonical text of the asking device's address.
    let address: String
    /// The asking device, if it is known.
    let device: DeviceID?
    /// How a reverse proxy is involved; nil: it is not.
    var through: ThroughProxy?
    /// Whether this very request chooses the passcode, at set-up.
    var setsUp = false
    /// Whether the answer is one to a form, and not to be had again from its address.
    var isPost = false
    /// What the request's form said, once it was read: an answer that refuses it can send it along.
    let sent = SentForm()
    /// What the request was made for.
    let basis = Basis()
}

/// The revisions of the household for which a request may change it: its sender saw one of them.
final class Basis: Sendable {
    private let revisions = Mutex<Set<Int>?>(nil)

    /// The next change is refused on any other revision.
    func expect(_ seen: Set<Int>) { revisions.withLock { $0 = seen } }

    /// Throws `Overtaken` on any other revision.
    func check(_ revision: Int) throws(Overtaken) {
        if let seen = revisions.withLock({ $0 }), !seen.contains(revision) { throw Overtaken() }
    }

    /// The request made its change; what it changes further rests on that.
    func passed() { revisions.withLock { $0 = nil } }
}

/// Another change came first.
struct Overtaken: Error {}

/// The form of one request.
final class SentForm: Sendable {
    private let form = Mutex<PageContext.Answered?>(nil)

    var answered: PageContext.Answered? {
        get { form.withLock { $0 } }
        set { form.withLock { $0 = newValue } }
    }
}

extension Hand {
    /// The caller, named as in the household before the change.
    init(_ caller: Caller, in household: Household) {
        let device = caller.device.flatMap { household[device: $0] }
        switch caller.credential {
        case .login:
            let owner = device?.person.flatMap { household[person: $0]?.name }
            let words =
                switch (owner, device?.name) {
                case (let owner?, let name?): "by \(owner), on \(name)"
                case (nil, let name?): "on \(name)"
                default: "from \(caller.address)"
                }
            self.init(.signedIn, words)
        case .bearer(let token): self.init(.program, "by the program \(token.name)")
        case nil:
            let place = device.map { "on \($0.name)" } ?? "from \(caller.address)"
            self = caller.setsUp ? Hand(.signedIn, place) : Hand(.ownDevice, "\(place), without the passcode")
        }
    }
}
