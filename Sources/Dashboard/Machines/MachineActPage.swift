import Pages

/// The second step before the machines of a household change: POST `/machines/invite` with `passcode`, `/machines/remove`
/// with `node` and `passcode`, or `/machines/lead` with `passcode`.
package struct MachineActPage: Page {
    package static let template = "machine-act"

    package enum Act: Sendable {
        case invite
        /// Its number and name.
        case remove(Int, String)
        case lead
    }

    package let title: String
    /// What happens, in paragraphs.
    let words: [String]
    let path: String
    let node: String?
    let button: String
    /// A class of the button.
    let style: String
    /// By field name: `passcode`, `button`.
    package let errors: [String: String]

    package init(_ act: Act, errors: [String: String] = [:]) {
        self.errors = errors
        switch act {
        case .invite:
            title = "Invite a machine"
            words = [
                "You get a code for one new machine. It holds for ten minutes. Who has it gets everything that this household knows, so show it to nobody else."
            ]
            (path, node, button, style) = ("/machines/invite", nil, "Show the code", "primary")
        case .remove(let number, let name):
            title = "Remove \(name)"
            words = [
                "The household gets a new key, which \(name) does not get. From then on no other machine believes it.",
                "Does it still run? Then run sudo sleep-inducer cluster leave --alone on it afterwards. Devices that ask only it are not blocked any more by what you change here.",
            ]
            (path, node, button, style) = ("/machines/remove", String(number), "Remove \(name)", "danger")
        case .lead:
            title = "This machine leads now"
            words = [
                "Do this if the machine with etcd is broken, or will be away for long. This machine starts an etcd of its own, and takes changes again within a minute.",
                "When the other machine is back, it joins by itself. What it took alone meanwhile is merged. No session opens by this.",
            ]
            (path, node, button, style) = ("/machines/lead", nil, "This machine leads now", "primary")
        }
    }
}
