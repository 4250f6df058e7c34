import Foundation
import Policy
import Synchronization

/// The contents of uploaded files, until they are taken. In memory only: after a restart the file must be chosen again.
final class ForeignHouseholds: Sendable {
    /// In seconds.
    private static let lifetime: Double = 3_600
    private static let most = 4

    private struct Kept {
        var household: ForeignHousehold
        var at: Double
    }

    private let kept = Mutex<[UUID: Kept]>([:])

    /// - Parameter uptime: in seconds.
    func keep(_ household: ForeignHousehold, at uptime: Double) -> UUID {
        let id = UUID()
        kept.withLock { kept in
            kept = kept.filter { uptime - $0.value.at < Self.lifetime }
            if kept.count >= Self.most, let oldest = kept.min(by: { $0.value.at < $1.value.at })?.key {
                kept[oldest] = nil
            }
            kept[id] = Kept(household: household, at: uptime)
        }
        return id
    }

    func household(_ id: UUID, at uptime: Double) -> ForeignHousehold? {
        kept.withLock { $0[id] }.flatMap { uptime - $0.at < Self.lifetime ? $0.household : nil }
    }

    func forget(_ id: UUID) { kept.withLock { $0[id] = nil } }
}
