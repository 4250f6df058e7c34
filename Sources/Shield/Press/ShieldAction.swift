import Foundation
import Policy

/// The buttons of a limit's shield, by the last part of the path to which each posts.
package enum ShieldAction: String, Hashable, Sendable, CaseIterable {
    /// "Unlock for 1 min".
    case unlock
    /// "I'll do it".
    case done
    /// "Ask for 15 more minutes".
    case ask
}

/// The result of a press.
package enum ShieldOutcome: Hashable, Sendable {
    /// It was done, or nothing was left to do.
    case done
    /// A sentence for people; nothing was changed.
    case refused(String)
    /// The same about the reason that was typed, which the page gives back.
    case refusedReason(String)
    /// The disk refused it.
    case unsaved
}

/// A message that the shield shows instead of its usual page.
package enum ShieldNote: Hashable, Sendable {
    /// After "I'll do it".
    case left
    /// After a suggestion was done.
    case wellDone
    /// The seal is old, or belongs to another device, person, Host, app or button.
    case staleForm
    case otherSite
    case unreadableForm
    case tooManyPresses
    case refused(String)
    case unsaved
}

/// What the buttons of one page send along, so that they work only for the device that got the page.
package struct ActionSeals: Hashable, Sendable {
    package var app: String
    /// In seconds since 1970.
    package var expires: Int
    package var unlock: String
    package var done: String
    package var ask: String
}

extension ShieldContext {
    /// How long a page's buttons work, in seconds.
    static let formLifetime = 600

    /// Adds seals if a limit blocks.
    func sealed(by seal: ActionSeal) -> ShieldContext {
        guard let app = verdict.limit?.app.id else { return self }
        let expires = Int(now.timeIntervalSince1970.rounded(.down)) + Self.formLifetime
        func sealed(_ action: ShieldAction) -> String {
            seal.seal(of: claim(app: app, action: action, expires: expires))
        }
        var context = self
        context.seals = ActionSeals(
            app: app, expires: expires, unlock: sealed(.unlock), done: sealed(.done), ask: sealed(.ask))
        return context
    }

    /// A known device counts by its number, because it has IPv4 and IPv6 addresses.
    func claim(app: String, action: ShieldAction, expires: Int) -> ActionSeal.Claim {
        ActionSeal.Claim(
            device: verdict.device.map { "device \($0.rawValue)" } ?? "address \(address)",
            person: verdict.person?.rawValue, host: name, app: app, action: action, expires: expires)
    }
}
