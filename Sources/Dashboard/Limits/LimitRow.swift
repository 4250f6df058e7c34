import Foundation
import Pages
import Policy

/// One limit on the page: its target, its use, and the form that changes it.
struct LimitRow {
    struct Week {
        /// `120 of 300 min this week`.
        let text: String
        let percent: Int
        let isFull: Bool
    }

    let id: String
    let name: String
    let tile: Tile
    /// `App · Social` or `Category`.
    let what: String
    /// `app` or `category`: the field that names the target.
    let field: String
    let target: String
    /// Minutes; nil if only the person may see them.
    let used: Int?
    let hasUse: Bool
    let allowance: Int
    /// The filled part of the bar, 0 to 100.
    let percent: Int
    let isFull: Bool
    let isReached: Bool
    let isOpen: Bool
    /// `18 min left`, `Reached`, or during a probation `Open for 0:42`.
    let stateText: String
    let openUntil: String?
    /// `Resets at 00:00`, `Resets on Monday at 00:00`.
    let resets: String
    /// `15 min more were given for today.`; nil if none were.
    let extra: String?
    /// `Not counted: Anton and Duolingo.`; nil if all count.
    let leftOut: String?
    let week: Week?
    /// "Ask for more time"; nil if nobody can be asked.
    let ask: Asking.Limit?
    /// The latest question about it, and its answer.
    let asked: Asking.Asked?
    /// "More time today"; nil if nobody can give it.
    let bonus: BonusButtons?
    let fields: LimitFields
    /// Whether the form is open, because its input was refused.
    let isEditing: Bool

    /// `extra` is what was given on top of the limit today; nil hides it. Without `showsUse`, the row says what
    /// is set and whether it is reached, without minutes used.
    init(
        _ state: LimitState, extra: Limits.Extra?, catalog: Catalog, clock: ClockFace, now: Date,
        showsUse: Bool, person: Person? = nil, asking: Asking? = nil,
        refused: LimitsPage.Refused? = nil
    ) {
        let limit = state.limit
        id = limit.id.uuidString
        name = limit.target.name(in: catalog)
        tile = limit.target.tile(in: catalog)
        what = limit.target.words(in: catalog)
        field = limit.target.kind
        target = limit.target.id
        used = showsUse ? state.use.day : nil
        hasUse = showsUse
        allowance = state.allowance
        percent = Self.percent(state.use.day, of: allowance)
        isFull = percent == 100
        isReached = state.isReached
        let open = state.probationEndsAt.map { ClockFace.seconds(from: now, to: $0) } ?? 0
        isOpen = open > 0
        stateText =
            isOpen
            ? "Open for \(Self.clockText(open))"
            : state.isLifted
                ? "No limit today"
                : isReached
                    ? "Reached" : showsUse ? "\(max(0, Self.left(of: state))) min left" : "Not reached"
        openUntil = isOpen ? state.probationEndsAt.map(ClockFace.iso) : nil
        let isSoon = state.resetsAt.timeIntervalSince(now) <= 25 * 3600
        resets =
            "Resets " + (isSoon ? "at \(clock.time(state.resetsAt))" : clock.on(state.resetsAt, from: now))
        self.extra = extra.flatMap(Self.words)
        leftOut = limit.leftOut(in: catalog).map { "Not counted: \($0)." }
        week = (showsUse ? state.weeklyAllowance : nil).map { allowed in
            let percent = Self.percent(state.use.week, of: allowed)
            return Week(
                text: "\(state.use.week) of \(allowed) min this week", percent: percent,
                isFull: percent == 100)
        }
        ask = asking?.limits.first { $0.value == limit.id.uuidString }
        asked = asking?.asked.first { $0.target == limit.target }
        if let person, !state.isLifted {
            bonus = BonusButtons(person, of: limit, named: name)
        } else {
            bonus = nil
        }
        let refusedHere = refused?.limit == limit.id ? refused : nil
        isEditing = refusedHere != nil
        fields =
            refusedHere.map {
                LimitFields(
                    $0.typed, key: limit.id.uuidString, of: limit.target, catalog: catalog,
                    errors: $0.errors)
            } ?? LimitFields(limit, catalog: catalog)
    }

    private static func words(_ extra: Limits.Extra) -> String? {
        guard extra.given > 0 else { return nil }
        let past = extra.past > 0 ? ", beside \(extra.past) that were used past the limit" : ""
        return "\(extra.given) min more were given for today\(past)."
    }

    /// The rest of the day's minutes, or of the week's if that is less.
    private static func left(of state: LimitState) -> Int {
        let day = state.allowance - state.use.day
        return state.weeklyAllowance.map { min(day, $0 - state.use.week) } ?? day
    }

    /// 100 only if the limit is reached: 99.7 % becomes 99.
    private static func percent(_ used: Int, of allowance: Int) -> Int {
        allowance <= 0 || used >= allowance ? 100 : max(0, used * 100 / allowance)
    }

    /// `0:42`.
    private static func clockText(_ seconds: Int) -> String {
        "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}
