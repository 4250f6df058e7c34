import Hummingbird

extension HomeSite {
    /// What takes a login, by page.
    func signedInRoutes(_ router: RouterGroup<Visit>) {
        // Everybody
        router.get("/household", use: householdPage)
        router.post("/household/bedtime", use: bedtimeNow)
        router.post("/household/later", use: laterTonight)
        router.post("/household/skip", use: skipTonight)
        router.post("/household/undo", use: undoOneTap)

        // Session
        router.get("/session", use: sessionPage)
        router.post("/session", use: startSession)
        router.post("/session/cancel", use: cancelSession)
        router.post("/session/keep", use: keepSleeping)

        // Nightly schedule
        router.get("/schedule", use: schedulePage)
        router.post("/schedule", use: saveSchedule)
        router.post("/schedule/tonight", use: changeTonight)

        // Allowed apps
        router.get("/allowed-apps", use: allowedAppsPage)
        router.post("/allowed-apps", use: saveAllowedApps)
        router.post("/allowed-apps/set", use: allowSet)
        router.post("/allowed-apps/own", use: addOwnApp)
        router.post("/allowed-apps/own/:id/delete", use: removeOwnApp)
        router.post("/allowed-apps/reachable", use: saveReachable)

        // Anti-Rot
        router.post("/anti-rot/apps", use: saveRestrictedApps)
        router.post("/anti-rot/windows", use: addWindow)
        router.post("/anti-rot/windows/split", use: addSplitWindow)
        router.post("/anti-rot/windows/clear", use: clearWindows)
        router.post("/anti-rot/windows/:id/delete", use: removeWindow)
        router.post("/anti-rot/changes/:id/drop", use: keepAsItWas)

        // Relaying
        router.get("/relay", use: relayPage)
        router.post("/relay", use: saveRelayed)

        // Limits
        router.get("/limits/new", use: newLimitPage)
        router.get("/limits/new/:kind/:target", use: chosenLimitPage)
        router.post("/limits", use: saveLimit)
        router.post("/limits/:id/delete", use: removeLimit)
        router.post("/limits/:id/restore", use: restoreLimit)
        router.post("/limits/settings", use: saveLimitSettings)
        router.post("/limits/changes/:id/drop", use: dropLimitChange)
        router.get("/limits/requests/:id", use: requestPage)
        router.post("/limits/requests/:id", use: answerRequest)

        // What somebody asks for beside minutes
        router.get("/requests/:id", use: wishPage)
        router.post("/requests/:id", use: answerWish)

        // Focus
        router.post("/focus/shield", use: saveFocusShield)
        router.post("/focus/shortcuts", use: saveShortcutNames)
        router.get("/focus/history.csv", use: focusCSV)
        router.post("/focus/history/:id/delete", use: removeFocusSession)
        router.post("/focus/history/:id/restore", use: restoreFocusSession)
        router.post("/focus/import", use: importFocus)
        router.get("/sessions.json", use: sessionsFile)
        router.get("/timer-state.json", use: timerStateFile)

        // Verified minutes
        router.get("/verified/setup", use: verifiedSetupPage)
        router.post("/verified/credentials", use: saveVerifiedCredentials)
        router.post("/verified/forget", use: forgetVerifiedToken)
        router.post("/verified/access", use: requestScreenTime)
        router.post("/verified/time-zone", use: saveVerifiedTimeZone)
        router.get("/verified/selection", use: verifiedSelectionPage)
        router.post("/verified/selection", use: saveProductiveApps)
        router.post("/verified/sync", use: syncVerifiedSelection)
        router.get("/verified/yesterday", use: verifiedYesterdayPage)
        router.post("/verified/compute", use: computeYesterday)
        router.post("/verified/upload", use: uploadYesterday)

        // Suggestions
        router.get("/suggestions", use: suggestionsPage)
        router.post("/suggestions", use: saveSuggestions)
        router.post("/suggestions/restore", use: restoreSuggestions)
        router.post("/suggestions/undo", use: takeBackSuggestions)

        // Devices
        router.get("/setup/begin", use: setupBegin)
        router.get("/setup/router", use: setupRouter)
        router.post("/setup/router", use: saveFormerDNS)
        router.get("/devices", use: devicesPage)
        router.get("/devices/router", use: routerChangePage)
        router.post("/devices/once-seen/remove", use: removeOnceSeen)
        router.post("/devices/:id", use: saveDevice)
        router.post("/devices/:id/remove", use: removeDevice)
        router.post("/devices/:id/merge", use: mergeDevice)
        router.post("/devices/:id/unmerge", use: unmergeDevice)
        router.post("/devices/:id/apart", use: tellDeviceApart)
        router.post("/devices/:id/one", use: ruleOutRepeater)
        router.post("/devices/:id/several", use: allowForRepeater)
        router.post("/devices/:id/distrust", use: forgetTrust)
        router.post("/trust/authority", use: makeAuthority)

        router.post("/just-blocked/allow", use: allowFromNextSession)

        // Settings
        router.get("/settings", use: settingsPage)
        router.post("/settings", use: saveSettings)
        router.post("/settings/passcode", use: changePasscode)
        router.post("/settings/time-zone", use: saveTimeZone)
        router.post("/settings/help", use: saveOffersHelp)
        router.post("/settings/new-devices", use: saveNewDevices)
        router.post("/settings/tokens", use: createToken)
        router.post("/settings/tokens/:id/delete", use: revokeToken)
        router.post("/settings/people", use: addPerson)
        router.post("/settings/people/:id", use: renamePerson)
        router.post("/settings/people/:id/delete", use: removePerson)
        router.get("/settings/backup", use: downloadBackup)
        router.get("/settings/reset", use: resetPage)
        router.post("/settings/reset", use: emergencyReset)

        // When things change, and goodbye
        router.post("/health/away", use: putNoticeAway)
        router.get("/goodbye", use: goodbyePage)
        router.get("/goodbye/erase", use: erasePage)
        router.post("/goodbye/erase", use: eraseEverything)

        // Webhooks
        router.get("/webhooks", use: webhooksPage)
        router.post("/webhooks", use: addWebhook)
        router.post("/webhooks/:id/test", use: testWebhook)
        router.post("/webhooks/:id/delete", use: removeWebhook)
        router.post("/webhooks/:id/restore", use: restoreWebhook)
    }
}
