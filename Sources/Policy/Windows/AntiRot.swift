package import Foundation

/// A person's Windows layer: chosen apps are blocked outside daily allowed windows.
package struct AntiRot: Hashable, Codable, Sendable {
    /// The apps to block; apps only. Nil: never chosen, which is not the same as none.
    @Defaulted package var restricted: AppSelection?
    /// The windows in order of start. Nothing is blocked before they are configured (nil); an empty list blocks all day.
    @Defaulted package var windows: [TimeWindow]?
    @Defaulted package var override: OverrideState

    /// The seeds' own.
    private enum CodingKeys: String, CodingKey {
        case restricted = "selectedApps"
        case windows = "allowedWindows"
        case override = "overrideState"
    }

    package init(
        restricted: AppSelection? = nil, windows: [TimeWindow]? = nil,
        override: OverrideState = OverrideState()
    ) {
        self.restricted = restricted
        self.windows = windows
        self.override = override
    }

    /// Whether there are apps to block and a schedule for them.
    package var isConfigured: Bool { windows != nil && !(restricted?.isEmpty ?? true) }

    /// What Anti-Rot's badge says, as of one instant.
    package func status(
        at now: Date, in zone: CivilZone, except exceptions: [DateException]
    ) -> Status {
        let overrideEnd = override.end(at: now)
        guard isConfigured else { return Status(isBlocked: false, until: nil, overrideEnd: overrideEnd) }
        let windows = AllowedWindows(windows ?? [], in: zone, except: exceptions)
        // During an override only the time after it counts: an open window then continues.
        switch windows.state(at: overrideEnd ?? now) {
        case .open(let until): return Status(isBlocked: false, until: until, overrideEnd: overrideEnd)
        case .closed where overrideEnd != nil:
            return Status(isBlocked: false, until: overrideEnd, overrideEnd: overrideEnd)
        case .closed(let until): return Status(isBlocked: true, until: until, overrideEnd: nil)
        }
    }

    package struct Status: Hashable, Sendable {
        /// BLOCKED or ALLOWED.
        package var isBlocked: Bool
        /// The next planned change; nil if there is none or nothing is configured.
        package var until: Date?
        /// When the running override ends.
        package var overrideEnd: Date?
    }
}

extension Person {
    /// What Anti-Rot's badge says, as of one instant.
    package func windowsStatus(at now: Date, in zone: CivilZone) -> AntiRot.Status {
        antiRot.status(at: now, in: zone, except: dateExceptions)
    }

    /// When their windows open and close.
    package func allowedWindows(in zone: CivilZone) -> AllowedWindows {
        AllowedWindows(antiRot.windows ?? [], in: zone, except: dateExceptions)
    }
}
