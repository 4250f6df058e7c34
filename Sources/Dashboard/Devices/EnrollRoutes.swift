import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// By what right a request says whose a device is.
private enum Standing {
    case login
    /// By the key of an invitation (`PhoneInvitations`): for the asking device only.
    case invitation(key: String)
    /// "This is my device": the device becomes its own person's, else a person's by the rule for new devices, else the
    /// only person's. Nobody has confirmed it. Among several people it waits until somebody with the passcode says whose
    /// it is.
    case none
}

/// Another device took the key a moment ago.
private struct KeyTaken: Error {}

/// The posted form of `/devices/enroll`: with a login `device` and `person` or `family=on`, with an invitation `person`
/// and `key`.
private struct EnrollForm {
    let device: String?
    let person: PersonID?
    let standing: Standing
    let confirmsRouter: Bool
    let isSetup: Bool
    /// Whether the device becomes the family's.
    let isFamilys: Bool
    /// What a script says about a Macintosh.
    let kind: String?

    init(_ fields: FormFields, isInvited: (String) -> Bool, isSignedIn: Bool) throws {
        var reading = FormReading(fields)
        device = reading.optional("device").flatMap { $0.isEmpty ? nil : $0 }
        let key = reading.optional("key")
        isSetup = reading.optional("from") == "setup"
        kind = reading.optional("kind")
        isFamilys = reading.isOn("family")
        confirmsRouter = DeviceRoutes.confirmsRouter(&reading)
        try reading.finish()
        person = try PersonID(named: fields.first("person"))
        standing = isSignedIn ? .login : key.flatMap { isInvited($0) ? .invitation(key: $0) : nil } ?? .none
    }
}

extension DeviceRoutes {
    /// "This is my device": enrolls the asking device. With a login, any device can be enrolled for any person; with an
    /// invitation, the asking one.
    func enrollDevice(_ request: Request, _ visit: Visit) async throws -> Response {
        let now = desk.clock.now()
        let asking = desk.household(at: now).device(of: visit)?.id
        let form = try EnrollForm(
            try await desk.form(request, visit),
            isInvited: { invitations.isOpen($0, for: asking, at: now) },
            isSignedIn: visit.login != nil)
        switch form.standing {
        case .login where form.isFamilys: return try shareDevice(form, visit)
        case .login: break
        case .invitation: if form.device != nil || form.isFamilys { throw PageError.loginNeeded(request) }
        case .none:
            if form.device != nil || form.person != nil || form.isFamilys {
                throw PageError.loginNeeded(request)
            }
        }
        let agent = request.headers[.userAgent] ?? ""
        let kind = form.device == nil ? ClientSystem.kind(agent: agent, told: form.kind) : nil
        let isOwned: Bool
        do { isOwned = try enroll(form, kind, newcomer(form, visit)) } catch is KeyTaken {
            throw PageError.loginNeeded(request)
        }
        switch form.standing {
        // Without the key, which would stay in the phone's history.
        case .invitation: return desk.back(to: "/setup/device", done: .enrolled)
        case .none where !isOwned: return desk.back(to: "/setup/device")
        case .none: return desk.back(to: "/my-rules", done: .enrolled)
        case .login where form.isSetup:
            return desk.back(to: "/setup/device", done: form.device == nil ? .enrolled : .saved)
        case .login: return desk.back(to: "/devices", done: .enrolled, at: "this-device")
        }
    }

    /// "The family’s": nothing else is asked.
    private func shareDevice(_ form: EnrollForm, _ visit: Visit) throws -> Response {
        let newcomer = try newcomer(form, visit)
        try desk.command { household, log, now in
            let id =
                try form.device.flatMap { NetworkAddress.canonical($0) == nil ? try Self.deviceID($0) : nil }
                ?? household.welcome(newcomer, at: now)
            try guardRouter(id, in: household, isConfirmed: form.confirmsRouter)
            try share(
                id, FamilyChoice(times: nil, minutesOf: nil), newPerson: nil, in: &household, at: now)
            log.note(.deviceEnrolled, nil, id, at: now)
        }
        return desk.back(to: form.isSetup ? "/setup/device" : "/devices", done: .saved)
    }

    private func newcomer(_ form: EnrollForm, _ visit: Visit) throws -> Newcomer {
        try arrivals.newcomer(at: form.device.flatMap(NetworkAddress.canonical) ?? visit.address)
    }

    /// Returns whether the device is a person's now; else it is only known, and waits.
    ///
    /// - Parameter kind: the kind of device that the asking browser reports.
    private func enroll(_ form: EnrollForm, _ kind: Device.Kind?, _ newcomer: Newcomer) throws -> Bool {
        try desk.command { household, log, now in
            let device =
                try form.device.flatMap { NetworkAddress.canonical($0) == nil ? try Self.deviceID($0) : nil }
                ?? household.welcome(newcomer, at: now)
            let known = household[device: device]
            // A person who left on this device gets it back.
            let former = form.person ?? known?.person ?? known?.left?.person
            guard let owner = former ?? household.ownerOfNew(form.standing) else {
                guard case .none = form.standing else { throw Refusal.unknownPerson }
                try guardRouter(device, in: household, isConfirmed: false)
                return false
            }
            switch form.standing {
            case .login:
                try guardRouter(device, in: household, isConfirmed: form.confirmsRouter)
                try household.assign(device, to: owner, at: now)
            case .invitation(let key):
                try guardRouter(device, in: household, isConfirmed: false)
                try household.admit(device, for: owner, at: now)
                // Taken last, so that a refused phone uses up no key, and within the transaction, so that only one of
                // two phones gets it.
                guard invitations.take(key, by: device, at: now) else { throw KeyTaken() }
            case .none:
                try guardRouter(device, in: household, isConfirmed: false)
                try household.enroll(device, for: owner)
            }
            if form.names { try household.name(device, kind, at: now) }
            // A second press changes nothing, so the log has only one line.
            let enrolled = household[device: device]
            if enrolled?.person != known?.person || enrolled?.isConfirmed != known?.isConfirmed {
                log.note(.deviceEnrolled, owner, device, at: now)
            }
            return true
        }
    }
}

extension EnrollForm {
    /// Whether to name the device after its person, as in the guided set-up.
    fileprivate var names: Bool {
        if case .invitation = standing { return true }
        return isSetup
    }
}

extension Household {
    /// Whose a device becomes that nobody named a person for; nil if only somebody with the passcode can say it.
    fileprivate func ownerOfNew(_ standing: Standing) -> PersonID? {
        guard case .none = standing else { return members.first?.id }
        return ownerUnasked
    }

    /// Whose a new device becomes without a question: by the rule for new devices, else the only person's.
    var ownerUnasked: PersonID? { newDevicesBelongTo ?? (members.count == 1 ? members[0].id : nil) }

    /// Names a device after its person, as the guided set-up does.
    ///
    /// - Parameter kind: the kind that its browser reports.
    mutating func name(_ id: DeviceID, _ kind: Device.Kind?, at now: Date) throws {
        if let kind, self[device: id]?.kind == .other { try setKind(id, to: kind, at: now) }
        nameAfterOwner(id)
    }
}
