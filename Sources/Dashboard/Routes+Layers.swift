import Hummingbird

// The addresses of windows, limits, focus and verified minutes; sleep has its own in `Routes.swift`.

extension Routes {
    /// Anti-Rot.
    func addAntiRot() {
        let antiRot = AntiRotRoutes(desk: desk)
        open.get("/anti-rot", use: antiRot.antiRotPage)
        open.post("/anti-rot/override", use: antiRot.useOverride)
        signedIn.post("/anti-rot/changes/:id/drop", use: antiRot.keepAsItWas)

        let antiRotSets = AntiRotSetsRoutes(desk: desk)
        open.get("/anti-rot/sets", use: antiRotSets.setsPage)
        open.get("/anti-rot/sets/:set", use: antiRotSets.setPage)
        signedIn.post("/anti-rot/sets", use: antiRotSets.addSet)
        signedIn.post("/anti-rot/sets/:set", use: antiRotSets.renameSet)
        signedIn.post("/anti-rot/sets/:set/delete", use: antiRotSets.removeSet)
        signedIn.post("/anti-rot/sets/:set/restore", use: antiRotSets.restoreSet)

        let antiRotApps = AntiRotAppsRoutes(desk: desk)
        let antiRotSchedule = AntiRotScheduleRoutes(desk: desk)
        for base in ["/anti-rot", "/anti-rot/sets/:set"] {
            open.get("\(base)/apps", use: antiRotApps.antiRotAppsPage)
            signedIn.post("\(base)/apps", use: antiRotApps.saveRestrictedApps)
            signedIn.post("\(base)/apps/undo", use: antiRotApps.undoRestrictedApps)

            open.get("\(base)/schedule", use: antiRotSchedule.antiRotSchedulePage)
            signedIn.post("\(base)/windows", use: antiRotSchedule.addWindow)
            signedIn.post("\(base)/windows/clear", use: antiRotSchedule.clearWindows)
            signedIn.post("\(base)/windows/:id", use: antiRotSchedule.changeWindow)
            signedIn.post("\(base)/windows/:id/delete", use: antiRotSchedule.removeWindow)
        }
    }

    /// Limits and usage.
    func addLimits() {
        let limits = LimitsRoutes(desk: desk)
        open.get("/limits", use: limits.limitsPage)
        signedIn.get("/limits/new", use: limits.newLimitPage)
        signedIn.get("/limits/new/:kind/:target", use: limits.chosenLimitPage)
        signedIn.post("/limits", use: limits.saveLimit)
        signedIn.post("/limits/:id/delete", use: limits.removeLimit)
        signedIn.post("/limits/:id/restore", use: limits.restoreLimit)
        signedIn.post("/limits/settings", use: limits.saveLimitSettings)
        signedIn.post("/limits/ways-out", use: limits.openWaysOut)
        signedIn.post("/limits/changes/:id/drop", use: limits.dropLimitChange)

        let usage = UsageRoutes(desk: desk)
        open.get("/usage", use: usage.usagePage)
        open.get("/widget", use: usage.widget)
    }

    /// The focus timer.
    func addFocus() {
        let focus = FocusRoutes(desk: desk)
        open.get("/widget/presets", use: focus.presetsWidget)
        open.get("/focus", use: focus.focusPage)
        open.post("/focus/length", use: focus.setFocusLength)
        open.post("/focus/start", use: focus.startFocus)
        open.post("/focus/pause", use: focus.pauseFocus)
        open.post("/focus/resume", use: focus.resumeFocus)
        open.post("/focus/stop", use: focus.stopFocus)
        open.get("/start", use: focus.startLink)
        signedIn.post("/focus/shield", use: focus.saveFocusShield)
        signedIn.post("/focus/shortcuts", use: focus.saveShortcutNames)

        let focusHistory = FocusHistoryRoutes(desk: desk)
        open.get("/focus/history", use: focusHistory.focusHistoryPage)
        signedIn.get("/focus/history.csv", use: focusHistory.focusCSV)
        signedIn.post("/focus/history/:id/delete", use: focusHistory.removeFocusSession)
        signedIn.post("/focus/history/:id/restore", use: focusHistory.restoreFocusSession)
        signedIn.post("/focus/import", use: focusHistory.importFocus)
        signedIn.get("/sessions.json", use: focusHistory.sessionsFile)
        signedIn.get("/timer-state.json", use: focusHistory.timerStateFile)
    }

    /// Verified minutes.
    func addVerified() {
        let delivery = VerifiedDelivery(desk: desk, courier: surroundings.courier)
        let verifiedSetup = VerifiedSetupRoutes(desk: desk, arrivals: arrivals)
        signedIn.get("/verified/setup", use: verifiedSetup.verifiedSetupPage)
        signedIn.post("/verified/credentials", use: verifiedSetup.saveVerifiedCredentials)
        signedIn.post("/verified/forget", use: verifiedSetup.forgetVerifiedToken)
        signedIn.post("/verified/access", use: verifiedSetup.requestScreenTime)
        signedIn.post("/verified/time-zone", use: verifiedSetup.saveVerifiedTimeZone)

        let verifiedSelection = VerifiedSelectionRoutes(desk: desk, delivery: delivery)
        signedIn.get("/verified/selection", use: verifiedSelection.verifiedSelectionPage)
        signedIn.post("/verified/selection", use: verifiedSelection.saveProductiveApps)
        signedIn.post("/verified/selection/undo", use: verifiedSelection.undoProductiveApps)
        signedIn.post("/verified/sync", use: verifiedSelection.syncVerifiedSelection)

        let verifiedYesterday = VerifiedYesterdayRoutes(desk: desk, delivery: delivery)
        signedIn.get("/verified/yesterday", use: verifiedYesterday.verifiedYesterdayPage)
        signedIn.post("/verified/compute", use: verifiedYesterday.computeYesterday)
        signedIn.post("/verified/upload", use: verifiedYesterday.uploadYesterday)
    }
}
