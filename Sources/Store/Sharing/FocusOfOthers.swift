import Foundation
import GRDB
import Policy
import Synchronization

// A focus timer runs by the clock of one machine, which alone ends it. In the shared texts it bears that machine's number
// and has its instants. In a household it has the instants of the machine whose household it is, and bears the number of
// another one only.

extension Household {
    /// As the shared texts say it. What another machine counts is as that one told it.
    func told(by node: Int, after texts: [String: String]) -> Household {
        withTimers { person, running in
            running.machine == nil
                ? person.focus.timer.told(by: node) : texts.timer(of: person.id, like: running)
        }
    }

    /// As a node counts what the shared texts say.
    ///
    /// - Parameter known: the household before it heard them.
    func counted(in sharing: Sharing, after known: Household) -> Household {
        withTimers { person, running in
            guard let machine = running.machine else { return nil }
            let before = known[person: person.id]?.focus.timer
            if machine == sharing.node {
                let isKnown = before?.told(by: machine) == person.focus.timer
                return isKnown ? before : person.focus.timer.counted(by: nil)
            }
            guard let told = sharing.texts.timer(of: person.id, like: running) else { return nil }
            if let lead = sharing.agreement.lead(over: machine) {
                return told.counted(by: machine, ahead: lead, ifAwayFrom: before)
            }
            if before?.session == told.session, before?.isRunning == true { return before }
            // Nobody knows how long ago that was: it is not to be over too early.
            let lead = sharing.agreement.now().timeIntervalSince(running.since)
            return told.counted(by: machine, ahead: lead)
        }
    }

    /// With other timers. Where none runs, people stay the same array, which compares at once.
    private func withTimers(_ timer: (Person, FocusTimer.Running) -> FocusTimer?) -> Household {
        var household = self
        for (index, person) in people.enumerated() {
            guard case .running(let running) = person.focus.timer.state, let timer = timer(person, running),
                timer != person.focus.timer
            else { continue }
            household.people[index].focus.timer = timer
        }
        return household
    }
}

extension [String: String] {
    /// A running timer as its machine told it; nil: the texts say something else by now.
    fileprivate func timer(of id: PersonID, like running: FocusTimer.Running) -> FocusTimer? {
        let key = Document.Key(kind: .person, id: id.rawValue)
        guard case .person(let told)? = Entity.read(key, self[key.name]),
            case .running(let theirs) = told.focus.timer.state, theirs.session == running.session,
            theirs.machine == running.machine
        else { return nil }
        return told.focus.timer
    }
}

extension FocusTimer {
    /// A network's delay must not move a timer.
    private static let trifle: TimeInterval = 2

    /// The same by a clock that is ahead, or a known timer that is nearly the same.
    fileprivate func counted(
        by machine: Int, ahead lead: TimeInterval, ifAwayFrom known: FocusTimer?
    ) -> FocusTimer {
        let timer = counted(by: machine, ahead: abs(lead) < Self.trifle ? 0 : lead)
        guard case .running(let new) = timer.state, case .running(let old)? = known?.state,
            old.session == new.session, old.machine == new.machine,
            abs(old.endsAt.timeIntervalSince(new.endsAt)) < Self.trifle
        else { return timer }
        return known ?? timer
    }
}

extension HouseholdStore {
    /// Puts what other machines count where their clocks say that it is by now. Call it every second.
    package func followClocks() throws {
        func followed(_ household: Household) -> Household? {
            state.withLock { $0.sharing }.map { household.counted(in: $0, after: household) }
        }
        guard let now = followed(household), now != household else { return }
        try change(keeping: .evenInMemory, isTelling: false) { household, _ in
            household = followed(household) ?? household
        } agreeing: { _, _ in
            nil
        }
    }
}
