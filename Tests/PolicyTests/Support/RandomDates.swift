import Foundation

@testable import Policy

extension Generator {
    /// One to three, of up to four days each, around an instant.
    mutating func dateExceptions(around now: Date, in zone: CivilZone) -> [DateException] {
        (0..<int(1...3)).map { _ in dateException(around: now, in: zone) }
    }

    mutating func dateException(around now: Date, in zone: CivilZone) -> DateException {
        let first = zone.date(of: now).adding(days: int(-2...3))
        return DateException(
            id: UUID(), first: first, last: first.adding(days: int(0...3)), instead: instead())
    }

    private mutating func instead() -> DateException.Instead {
        switch int(1...3) {
        case 1: return .weekday(pick(Weekday.allCases))
        case 2:
            let (start, end) = (time(), time())
            return start == end ? .nothing : .times(start: start, end: end)
        default: return .nothing
        }
    }
}
