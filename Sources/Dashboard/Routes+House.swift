import Hummingbird
import Policy

// The addresses about the server itself: devices, checks, settings and files.

extension Routes {
    var devices: DeviceRoutes {
        DeviceRoutes(
            desk: desk, network: network, trust: surroundings.trust, justBlocked: surroundings.justBlocked,
            arrivals: arrivals, merges: merges, invitations: invitations)
    }

    func addHouse() {
        addDevices()
        addCheck()
        addSettings()
        addFiles()
    }

    /// Devices.
    private func addDevices() {
        open.post("/devices/enroll", use: devices.enrollDevice)
        signedIn.get("/devices", use: devices.devicesPage)
        signedIn.post("/devices/once-seen/remove", use: devices.removeOnceSeen)
        signedIn.post("/devices/:id", use: devices.saveDevice)
        signedIn.post("/devices/:id/remove", use: devices.removeDevice)
        signedIn.post("/devices/:id/merge", use: devices.mergeDevice)
        signedIn.post("/devices/:id/unmerge", use: devices.unmergeDevice)
        signedIn.post("/devices/:id/apart", use: devices.tellDeviceApart)
        signedIn.post("/devices/:id/place", use: devices.placeDevice)
        signedIn.post("/devices/:id/distrust", use: devices.forgetTrust)

        let profiles = ProfilesRoutes(
            desk: desk, network: network, trust: surroundings.trust, statics: statics)
        open.get("/profiles", use: profiles.profilesPage)
        open.get("/profiles/home-screen.mobileconfig", use: profiles.webClipProfile)
        open.get("/profiles/certificate.mobileconfig", use: profiles.certificateProfile)
        open.get("/profiles/dns.mobileconfig", use: profiles.dnsProfile)
    }

    /// Checks: whether a device asks here, what gets around it, and whether it trusts the certificate.
    private func addCheck() {
        let trust = TrustRoutes(desk: desk, trust: surroundings.trust, arrivals: arrivals, checks: checks)
        open.get("/trust", use: trust.trustPage)
        open.get("/trust/certificate.crt", use: trust.certificateFile)
        open.get("/trust/check", use: trust.trustCheck)
        open.get("/trust/result", use: trust.trustResult)
        signedIn.post("/trust/authority", use: trust.makeAuthority)

        let check = CheckRoutes(desk: desk, arrivals: arrivals, checks: checks, trust: trust)
        open.get("/check", use: check.checkPage)
        open.get("/check/result", use: check.checkResult)
        open.get("/check/seen", use: check.checkImage)
        open.get("/check/around", use: check.checkAroundPage)
        open.get("/check/around/result", use: check.aroundResult)

        let trying = TryRoutes(desk: desk, arrivals: arrivals)
        open.get("/check/try", use: trying.tryPage)
        open.post("/check/try", use: trying.beginTry)
        open.post("/check/try/end", use: trying.endTry)
    }

    /// Settings, webhooks and goodbye.
    private func addSettings() {
        let settings = SettingsRoutes(desk: desk, passcodes: passcodes)
        for path in ["/settings"] + SettingsPart.allCases.map(\.path) {
            signedIn.get(RouterPath(path), use: settings.settingsPage)
        }
        signedIn.post("/settings", use: settings.saveSettings)
        signedIn.post("/settings/passcode", use: settings.changePasscode)
        signedIn.post("/settings/time-zone", use: settings.saveTimeZone)
        signedIn.post("/settings/help", use: settings.saveOffersHelp)
        signedIn.post("/settings/clock", use: settings.saveClock)
        signedIn.post("/settings/new-devices", use: settings.saveNewDevices)
        signedIn.post("/settings/private-answers", use: settings.savePrivateAnswers)
        signedIn.post("/settings/tokens", use: settings.createToken)
        signedIn.post("/settings/tokens/:id/delete", use: settings.revokeToken)
        signedIn.post("/settings/people", use: settings.addPerson)
        signedIn.post("/settings/people/:id", use: settings.renamePerson)
        signedIn.post("/settings/people/:id/delete", use: settings.removePerson)
        signedIn.get("/settings/backup", use: settings.downloadBackup)

        let backups = BackupsRoutes(
            desk: desk, passcodes: passcodes, condition: surroundings.condition, restore: surroundings.restore
        )
        signedIn.get("/settings/backups", use: backups.backupsPage)
        signedIn.post("/settings/backups", use: backups.chooseBackup)
        signedIn.get("/settings/backups/look", use: backups.look)
        signedIn.post("/settings/backups/restore", use: backups.restoreBackup)

        let imports = ImportRoutes(desk: desk, read: surroundings.readForeign)
        signedIn.get("/settings/import", use: imports.importPage)
        signedIn.post("/settings/import", use: imports.readFile)
        signedIn.post("/settings/import/take", use: imports.take)

        let webhooks = WebhooksRoutes(desk: desk, network: network)
        signedIn.get("/webhooks", use: webhooks.webhooksPage)
        signedIn.post("/webhooks", use: webhooks.addWebhook)
        signedIn.post("/webhooks/:id/test", use: webhooks.testWebhook)
        signedIn.post("/webhooks/:id/delete", use: webhooks.removeWebhook)
        signedIn.post("/webhooks/:id/restore", use: webhooks.restoreWebhook)

        signedIn.get("/notices", use: webhooks.phoneNoticesPage)
        signedIn.post("/notices", use: webhooks.addPhoneNotices)

        let goodbye = GoodbyeRoutes(
            desk: desk, passcodes: passcodes, trust: surroundings.trust, startedAt: desk.clock.now(),
            eraseAll: surroundings.erase)
        signedIn.get("/devices/router", use: goodbye.routerChangePage)
        signedIn.get("/goodbye", use: goodbye.goodbyePage)
        signedIn.get("/goodbye/erase", use: goodbye.erasePage)
        signedIn.post("/goodbye/erase", use: goodbye.eraseEverything)
    }

    /// Files that browsers and other programs fetch unasked.
    private func addFiles() {
        let homeScreen = HomeScreenRoutes(desk: desk, statics: statics)
        open.get("/assets/**", use: homeScreen.asset)
        open.get("/manifest.webmanifest", use: homeScreen.manifest)
        open.get("/service-worker.js", use: homeScreen.wellKnown("service-worker.js"))
        open.get("/offline", use: homeScreen.offline)
        open.get("/favicon.ico", use: homeScreen.wellKnown("favicon.svg"))
        open.get("/apple-touch-icon.png", use: homeScreen.wellKnown("apple-touch-icon.png"))
        open.get("/apple-touch-icon-precomposed.png", use: homeScreen.wellKnown("apple-touch-icon.png"))
        open.get("/robots.txt", use: homeScreen.robots)
        open.get("/home-screen", use: homeScreen.homeScreen)

        let captive = CaptiveRoutes(desk: desk, network: network)
        open.get("/captive-portal", use: captive.captivePortal)

        let health = HealthRoutes(
            desk: desk, condition: surroundings.condition, look: surroundings.look, counters: counters)
        open.get("/healthz", use: health.healthz)
        open.get("/metrics", use: health.metrics)
        open.get("/health", use: health.healthPage)
        signedIn.post("/health/away", use: health.putNoticeAway)

        let machines = MachinesRoutes(
            desk: desk, passcodes: passcodes, condition: surroundings.condition,
            acts: surroundings.machineActs)
        signedIn.get("/machines", use: machines.machinesPage)
        signedIn.get("/machines/invite", use: machines.invitePage)
        signedIn.post("/machines/invite", use: machines.invite)
        signedIn.get("/machines/remove", use: machines.removePage)
        signedIn.post("/machines/remove", use: machines.remove)
        signedIn.get("/machines/lead", use: machines.leadPage)
        signedIn.post("/machines/lead", use: machines.lead)
        open.get("/reign/:node", use: machines.letter)
        open.get("/invitation/:id", use: machines.invitation)

        let events = EventsRoutes(desk: desk, network: network)
        open.get("/events", use: events.events)
        open.get("/state", use: events.stateOnce)
    }
}
