import Foundation

// Webhook events about wishes and leaving. `WebhookEvent.ownOfAdults` says which webhooks get them.

extension Person {
    /// Wishes that were asked for, granted and declined; a wish that lapses makes no event.
    func wishes(since before: Person?, _ catalog: Catalog, at now: Date) -> [WebhookEvent] {
        let known = Dictionary(before?.wishes.map { ($0.id, $0.answer) } ?? [], uniquingKeysWith: { $1 })
        return wishes.filter { known[$0.id] != $0.answer }.map { wish in
            let (kind, instant): (WebhookEvent.Kind, Date) =
                switch wish.answer {
                case .open: (.wishAsked, wish.askedAt)
                case .granted: (.wishGranted, wish.answeredAt ?? now)
                case .declined: (.wishDeclined, wish.answeredAt ?? now)
                }
            return WebhookEvent(
                kind: kind, person: id, name: name, instant: instant,
                details: wish.what.details(catalog).adding(reason: wish.reason),
                question: wish.answer == .open ? wish.id : nil)
        }
    }
}

extension [String: WebhookEvent.Detail] {
    /// With the reason of a question, if it has one.
    func adding(reason: String?) -> Self {
        var details = self
        details["reason"] = reason.map { .text($0) }
        return details
    }
}

extension Wish.What {
    fileprivate func details(_ catalog: Catalog) -> [String: WebhookEvent.Detail] {
        switch self {
        case .app(let id): ["wish": .text("app"), "app": .text(catalog.app(id: id)?.name ?? id)]
        case .later(let night):
            ["wish": .text("later"), "minutes": .number(TonightChange.step), "night": .text("\(night)")]
        case .skip(let night): ["wish": .text("skip"), "night": .text("\(night)")]
        }
    }
}

extension Household {
    /// Who asks to leave on a device, takes it back or left, and whose devices were removed.
    func leaving(of person: Person, since old: Household, at now: Date) -> [WebhookEvent] {
        func event(_ kind: WebhookEvent.Kind, _ device: Device, _ instant: Date) -> WebhookEvent {
            WebhookEvent(
                kind: kind, person: person.id, name: person.name, instant: instant,
                details: ["device": .text(device.name)])
        }
        let known = Dictionary(old.devices.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let here = devices.compactMap { device -> WebhookEvent? in
            // A device that comes back as it was (`Household.undo`) was reported before.
            guard let before = known[device.id] else { return nil }
            if let left = device.left, left.person == person.id, before.left != left {
                return event(.deviceLeft, device, left.at)
            }
            guard device.person == person.id, before.departure != device.departure else { return nil }
            guard let departure = device.departure else {
                return before.person == person.id ? event(.leaveWithdrawn, device, now) : nil
            }
            // If something ends earlier, or the clock was set back, only the end moves.
            guard before.departure?.askedAt != departure.askedAt else { return nil }
            var asked = event(.leaveAsked, device, departure.askedAt)
            asked.details["departsAt"] = .instant(departure.due)
            return asked
        }
        let gone = old.devices.filter { device in
            (device.person ?? device.left?.person) == person.id && self[device: device.id] == nil
                && !devices.contains {
                    $0.goesOn(as: device) && known[$0.id]?.goesOn(as: device) != true
                }
        }
        return here + gone.map { event(.deviceRemoved, $0, now) }
    }
}

extension Device {
    /// Whether this device took over another's identity (`Household.merge`).
    fileprivate func goesOn(as other: Device) -> Bool {
        !Set(addresses).isDisjoint(with: other.addresses)
            || other.hardwareAddress.map(has(hardware:)) ?? false
    }
}
