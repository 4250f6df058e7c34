package import Foundation

extension Household {
    /// All problems that these facts show, in the order of kinds; only of kinds that can be judged. Each says only what
    /// is known: a device that does not ask may be off.
    package func findings(_ facts: HouseFacts) -> [Finding] {
        let clock = Since(zone: zone, now: facts.now, style: clock.style(for: nil))
        let judged = facts.judged
        let machine =
            facts.damaged + facts.refusedBind + facts.idleGateway + facts.changedAddress
            + facts.poorUpstreams(clock)
            + facts.changedUpstreams + facts.unusableSettings + facts.fullDisk + facts.wrongClock
            + facts.missingBackup + facts.others
            + facts.unheardForwarders
        let found = machine + quietDevices(facts) + waysOutOpen + returned + facts.strayMachines(clock)
        return found.filter { judged.contains($0.kind) }
    }

    /// One finding for each device that may be back.
    private var returned: [Finding] {
        let known = Dictionary(
            returns.map { ($0.known.id, $0.known) }, uniquingKeysWith: { first, _ in first })
        // A child's is told as a way out.
        let asked = known.values.filter { !$0.waysOut.contains { $0.kind == .newAddress && $0.isOpen } }
        return asked.sorted { $0.id.rawValue < $1.id.rawValue }.map { device in
            .device(
                device.id,
                "A new device may be \u{201C}\(CleanName.cleaned(device.name))\u{201D} with a new address. "
                    + "Devices asks whether it is.", kind: .returned)
        }
    }

    private func quietDevices(_ facts: HouseFacts) -> [Finding] {
        devices.sorted { $0.id.rawValue < $1.id.rawValue }.compactMap { device in
            quietSentence(
                on: device, calling: "\u{201C}\(CleanName.cleaned(device.name))\u{201D}", at: facts.now,
                clock: clock.style(for: nil)
            ).map {
                .device(device.id, $0)
            }
        }
    }

    /// What every page says of an enrolled device that went quiet: only what is known. Nil if it did not.
    package func quietSentence(
        on device: Device, calling name: @autoclosure () -> String, at now: Date, clock: ClockStyle
    ) -> String? {
        guard device.isSomebodys, device.isQuiet(at: now) else { return nil }
        let since = Since(zone: zone, now: now, style: clock).words(device.lastSeen)
        return "\(name()) has not asked \(since). It may be off, away, or using another DNS."
    }
}

extension Device {
    /// After how many seconds without a question an enrolled device is quiet: a phone asks day and night, others rest
    /// for a weekend.
    package var quietAfter: TimeInterval {
        switch kind {
        case .phone, .tablet: 12 * 3600
        default: 3 * 86_400
        }
    }

    /// For how many seconds a quiet device is mentioned; later it is no news.
    package static let quietNews: TimeInterval = 14 * 86_400

    /// A device that never asked did not go quiet.
    fileprivate func isQuiet(at now: Date) -> Bool {
        lastSeen.timeIntervalSince1970 > 0
            && (quietAfter..<Self.quietNews).contains(now.timeIntervalSince(lastSeen))
    }
}

extension HouseFacts {
    fileprivate var damaged: [Finding] { (damage ?? []).map { Finding(.damage, $0) } }

    fileprivate var refusedBind: [Finding] {
        guard let refused, !refused.isEmpty else { return [] }
        return [Finding(.refused, "Could not be opened: \(refused.joined(separator: "; ")).")]
    }

    fileprivate var idleGateway: [Finding] {
        guard let gateway, !gateway.isEmpty else { return [] }
        return [
            Finding(
                .gateway,
                "As a gateway: \(gateway.joined(separator: " ")) Blocking by DNS goes on. Open connections are not cut."
            )
        ]
    }

    fileprivate var changedAddress: [Finding] {
        guard let old = place.address.changed(within: Remembered.news, at: now)?.first,
            let new = place.address.value.first
        else { return [] }
        return [
            Finding(
                .address,
                "This server's address was \(old) and is \(new) now. Devices and routers that were pointed at "
                    + "\(old) do not reach it until you set the new address there.")
        ]
    }

    fileprivate func poorUpstreams(_ clock: Since) -> [Finding] {
        guard let upstreams else { return [] }
        let poor = upstreams.compactMap { upstream in
            upstream.trouble.map { (address: upstream.address, trouble: $0) }
        }
        let areAll = poor.count == upstreams.count
        return poor.map { upstream in
            let (does, until) = clock.words(upstream.trouble)
            return Finding(
                .upstreamSilent, subject: upstream.address,
                "\(upstream.address), which finds names for this server, \(does). "
                    + (areAll
                        ? "Until it \(until), few pages open. Look at the internet connection first."
                        : "The others are asked instead."))
        }
    }

    /// At most five: a file that is no `resolv.conf` would have one for each line.
    fileprivate var unusableSettings: [Finding] {
        let found = (unusable ?? []).prefix(5).map { unusable in
            switch unusable {
            case .line(let line):
                // The store keeps a subject of 100 characters.
                let words = String(
                    String.UnicodeScalarView(CleanName.cleaned(line).unicodeScalars.prefix(80)))
                return Finding(
                    .networkSettings, subject: words.replacing(" ", with: "-"),
                    "The network settings of this machine (resolv.conf) say \u{201C}\(words)\u{201D}. "
                        + "This server cannot use that and skips it.")
            case .upstream(let address, let interface):
                return Finding(
                    .networkSettings, subject: address,
                    "The DNS server \(address) is on the interface \(interface), which this machine does not have "
                        + "now. It is used as soon as the interface is there.")
            }
        }
        return found.enumerated().filter { index, finding in
            !found[..<index].contains { $0.id == finding.id }
        }.map(\.element)
    }

    fileprivate var changedUpstreams: [Finding] {
        let now = place.upstreams.value.joined(separator: ", ")
        guard let old = place.upstreams.changed(within: 86_400, at: self.now) else { return [] }
        return [
            Finding(
                .upstreamChanged,
                "Upstream DNS server now: \(now). Before: \(old.joined(separator: ", ")).")
        ]
    }

    /// Free space under 200 MB or 2 %, or a read-only disk.
    fileprivate var fullDisk: [Finding] {
        if disk?.isReadOnly == true {
            return [
                Finding(
                    .disk,
                    "The disk with the household's data is read-only. Blocking goes on, but you cannot change rules."
                )
            ]
        }
        guard let disk, disk.free < 200_000_000 || disk.free < disk.total / 50 else { return [] }
        return [
            Finding(
                .disk,
                "Only \(disk.free / 1_000_000) MB are free on the disk with the household's data. When it is full, "
                    + "you cannot change rules.")
        ]
    }

    fileprivate var wrongClock: [Finding] {
        guard isClockSynchronised == false else { return [] }
        return [
            Finding(
                .clock,
                "The clock is not synchronised, so bedtimes can be wrong. Switch time synchronisation on: "
                    + "sudo timedatectl set-ntp true.")
        ]
    }

    fileprivate var missingBackup: [Finding] {
        guard let backup else { return [] }
        if let failure = backup.failure {
            return [Finding(.backup, "The last daily backup failed. \(failure)")]
        }
        guard let latest = backup.latest else { return [Finding(.backup, "There is no daily backup yet.")] }
        guard latest.adding(days: 2) < CivilZone.utc.date(of: now) else { return [] }
        return [Finding(.backup, "The last daily backup is from \(latest), more than two days ago.")]
    }

    fileprivate var others: [Finding] {
        (otherServers ?? []).map { address in
            Finding(
                .otherServer, subject: address,
                "Another DNS server answers on this network: \(address). A device that uses it is not blocked here. "
                    + "Let the router name this server alone."
            )
        }
    }
}

extension HouseFacts {
    fileprivate var unheardForwarders: [Finding] {
        (unbelieved ?? []).map { address in
            Finding(
                .forwarder, subject: address,
                "The router \(address) asks for its devices and says which one it is, but this server does not "
                    + "trust it. Start it with --forwarder \(address) to apply each device's own rules.")
        }
    }
}

/// Words for an instant in the past.
struct Since {
    let zone: CivilZone
    let now: Date
    let style: ClockStyle

    /// What an upstream does wrong, and what would end it.
    func words(_ trouble: HouseFacts.Upstream.Trouble) -> (does: String, until: String) {
        switch trouble {
        case .silent(let since): ("has not answered \(words(since))", "does")
        case .fruitless(let since): ("answers, but finds no names \(words(since))", "does")
        case .loops:
            (
                "asks this server back, so it is not used for now. Give it another DNS server for its own use",
                "stops"
            )
        }
    }

    /// `since 21:40`, `since yesterday at 21:40`, `since Sunday at 21:40`, `since 2026-03-12`.
    func words(_ instant: Date) -> String {
        let (today, date) = (zone.date(of: now), zone.date(of: instant))
        let time = zone.time(of: instant).text(in: style)
        if date == today { return "since \(time)" }
        if date == today.adding(days: -1) { return "since yesterday at \(time)" }
        if date < today, today.adding(days: -7) < date {
            return "since \(date.weekday.displayName) at \(time)"
        }
        return "since \(date)"
    }
}
