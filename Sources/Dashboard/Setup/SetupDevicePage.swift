import Pages
package import Policy

/// Puts a phone on the house: the code that opens this page there, whose phone it is, and the steps for its system.
/// GET `/setup/device`, with `key` of an invitation; it posts to `/devices/enroll`.
package struct SetupDevicePage: Page {
    package static let template = "setup-device"

    /// Whose the asking device is, or whose it can become with one tap.
    package struct Owner: Sendable {
        let name: String?
        let choices: [Choice]
        let key: String?

        /// - Parameter choices: empty if this visitor may not choose.
        package init(of device: Device?, in household: Household, mayChoose: Bool, key: String? = nil) {
            let owner = device.flatMap { $0.isConfirmed ? $0.person : nil }.flatMap { household[person: $0] }
            name = owner?.name
            choices =
                mayChoose && owner == nil
                ? household.people.map { Choice(String($0.id.rawValue), $0.name, isSelected: false) } : []
            self.key = key
        }

        var mayChoose: Bool { !choices.isEmpty }
    }

    package let title = "Put a phone on it"
    let progress: SetupProgress?
    let pointing: PointHere
    let code: PhoneCode?
    let arrivals: [Arrival]
    let owner: Owner
    let asksOwner: Bool
    /// Whether "This is my device" stands here: nobody is asked whose it is, and it is nobody's.
    let offersEnrolling: Bool
    /// Whether the steps are folded, because a computer waits for phones first.
    let foldsSteps: Bool
    /// Whether the code's key is over: another device took it, or it is too old.
    let isKeyUsed: Bool
    /// Whether the reader is signed in, so that arrivals and the router are shown.
    let isSignedIn: Bool

    package init(
        pointing: PointHere, code: PhoneCode?, owner: Owner, step: SetupStep? = nil, arrivals: [Arrival] = [],
        isEnrolled: Bool = false, isSignedIn: Bool = false, isKeyUsed: Bool = false
    ) {
        progress = step.map(SetupProgress.init)
        self.pointing = pointing
        self.code = code
        self.arrivals = arrivals
        self.owner = owner
        asksOwner = owner.mayChoose && (pointing.isMobile || !isSignedIn)
        offersEnrolling = !isEnrolled && !asksOwner
        self.isSignedIn = isSignedIn
        self.isKeyUsed = isKeyUsed
        foldsSteps = isSignedIn && !pointing.isMobile
    }
}
