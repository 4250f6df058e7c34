import Pages
package import Policy

/// Connects a phone: the code that opens this page there, whose phone it is, and the steps for its system.
/// GET `/setup/device`, with `key` of an invitation; it posts to `/devices/enroll`.
package struct SetupDevicePage: Page {
    package static let template = "setup-device"

    /// The asking device's owner, or who can become it with one tap.
    package struct Owner: Sendable {
        let name: String?
        /// The person whose it says it is, until the other screen says yes.
        let waiting: String?
        /// Whether the device is known, nobody's, and one of several people's once somebody with the passcode says so.
        let isOpen: Bool
        let choices: [Choice]
        let key: String?

        /// - Parameter choices: empty if this visitor may not choose.
        package init(of device: Device?, in household: Household, mayChoose: Bool, key: String? = nil) {
            let owner = device.flatMap { $0.isConfirmed ? $0.person : nil }.flatMap { household[person: $0] }
            name = owner?.name
            waiting =
                device.flatMap { $0.isConfirmed ? nil : $0.person }.flatMap { household[person: $0]?.name }
            let isSaid = device.map { $0.person != nil || $0.isSomebodys && $0.isConfirmed } ?? true
            isOpen = !isSaid && device?.left == nil && household.ownerUnasked == nil
            choices =
                mayChoose && owner == nil
                ? household.members.map { Choice(String($0.id.rawValue), $0.name, isSelected: false) } : []
            self.key = key
        }

        var mayChoose: Bool { !choices.isEmpty }
    }

    package let title: String
    let progress: SetupProgress?
    let pointing: PointHere
    let code: PhoneCode?
    let arrivals: [Arrival]
    /// Whether no device but the reader's own is here.
    let waitsForPhone: Bool
    /// Whether a person's device asks here already, so that this page is about the next one.
    let isFurther: Bool
    /// Whether a device just arrived of which nobody said whose it is.
    let hasNewcomer: Bool
    let owner: Owner
    let asksOwner: Bool
    /// Whether it says whose the asking device is: not on the computer that waits for phones.
    let saysOwner: Bool
    /// Whether the phone waits for a yes on the screen that showed the code.
    let waits: Bool
    /// Whether it waits until somebody with the passcode says whose it is.
    let waitsForOwner: Bool
    /// Whether it follows what happens on the other screen.
    let listens: Bool
    /// Whether to offer "This is my device": the page does not ask whose it is, and it is nobody's.
    let offersEnrolling: Bool
    /// Whether the steps are folded, because a computer waits for phones first.
    let foldsSteps: Bool
    /// Whether the code's key no longer opens: another device took it, or it is too old.
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
        waitsForPhone = arrivals.allSatisfy(\.isViewer)
        isFurther = arrivals.contains { $0.hasAsked && !$0.isNobodys }
        title = isFurther ? "Add a device" : "Connect a phone"
        hasNewcomer = arrivals.contains { $0.isNobodys && !$0.isViewer }
        self.owner = owner
        asksOwner = owner.mayChoose && (pointing.isMobile || !isSignedIn)
        saysOwner = owner.name != nil && (pointing.isMobile || !isSignedIn)
        waits = owner.waiting != nil && !isSignedIn
        waitsForOwner = owner.isOpen && !isSignedIn && !asksOwner
        listens = waits || waitsForOwner || isSignedIn
        offersEnrolling = !isEnrolled && !asksOwner && !waitsForOwner
        self.isSignedIn = isSignedIn
        self.isKeyUsed = isKeyUsed
        foldsSteps = isSignedIn && !pointing.isMobile
    }
}
