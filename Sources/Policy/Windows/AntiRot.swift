package import Foundation

/// A person's Windows layer: chosen apps are blocked outside daily allowed windows.
///
/// The first set of apps and windows is most people's only one. One override a day opens all sets.
package struct AntiRot: Hashable, Codable, Sendable {
    /// The apps to block; apps only. Nil: never chosen, which is not the same as none.
    @Defaulted package var restricted: AppSelection?
    /// The windows in order of start. Nothing is blocked before they are configured (nil); an empty list blocks all day.
    @Defaulted package var windows: [TimeWindow]?
    @Defaulted package var override: OverrideState
    @Defaulted private var moreSets: [WindowSet]?

    /// The seeds' own.
    private enum CodingKeys: String, CodingKey {
        case restricted = "selectedApps"
        case windows = "allowedWindows"
        case override = "overrideState"
        case moreSets = "otherSets"
    }

    package init(
        restricted: AppSelection? = nil, windows: [TimeWindow]? = nil,
        override: OverrideState = OverrideState(), otherSets: [WindowSet] = []
    ) {
        self.restricted = restricted
        self.windows = windows
        self.override = override
        moreSets = otherSets.isEmpty ? nil : otherSets
    }

    /// The sets besides the first.
    package var otherSets: [WindowSet] {
        get { moreSets ?? [] }
        set { moreSets = newValue.isEmpty ? nil : newValue }
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

extension AntiRot {
    /// What Anti-Rot's badge says, as of one instant: BLOCKED while a set is.
    package func status(
        at now: Date, in zone: CivilZone, except exceptions: [DateException]
    ) -> Status {
        let all = sets.map { status(of: $0, at: now, in: zone, except: exceptions) }
        return Status(
            isBlocked: all.contains(where: \.isBlocked), until: all.compactMap(\.until).min(),
            overrideEnd: override.end(at: now))
    }

    /// The same for one set.
    func status(
        of set: WindowSet, at now: Date, in zone: CivilZone, except exceptions: [DateException]
    ) -> Status {
        let overrideEnd = override.end(at: now)
        guard set.isConfigured else { return Status(isBlocked: false, until: nil, overrideEnd: overrideEnd) }
        let windows = AllowedWindows(set.windows ?? [], in: zone, except: exceptions)
        // During an override only the time after it counts: an open window then continues.
        switch windows.state(at: overrideEnd ?? now) {
        case .open(let until): return Status(isBlocked: false, until: until, overrideEnd: overrideEnd)
        case .closed where overrideEnd != nil:
            return Status(isBlocked: false, until: overrideEnd, overrideEnd: overrideEnd)
        case .closed(let until): return Status(isBlocked: true, until: until, overrideEnd: nil)
        }
    }
}

extension Person {
    /// What Anti-Rot's badge says, as of one instant.
    package func windowsStatus(at now: Date, in zone: CivilZone) -> AntiRot.Status {
        antiRot.status(at: now, in: zone, except: dateExceptions)
    }

    /// The same for one set.
    package func windowsStatus(of set: WindowSet, at now: Date, in zone: CivilZone) -> AntiRot.Status {
        antiRot.status(of: set, at: now, in: zone, except: dateExceptions)
    }

    /// When a set's windows open and close.
    package func allowedWindows(of set: WindowSet, in zone: CivilZone) -> AllowedWindows {
        AllowedWindows(set.windows ?? [], in: zone, except: dateExceptions)
    }

    /// When Anti-Rot blocks nothing, of what reaches into a date.
    package func openSpans(on date: CivilDate, in zone: CivilZone) -> [Range<Date>] {
        let open = antiRot.sets.filter(\.isConfigured).map { set in
            let windows = allowedWindows(of: set, in: zone)
            return RangeSet(windows.spans(on: date.adding(days: -1)) + windows.spans(on: date))
        }
        guard let first = open.first else { return [] }
        return Array(open.dropFirst().reduce(first) { $0.intersection($1) }.ranges)
    }
}
