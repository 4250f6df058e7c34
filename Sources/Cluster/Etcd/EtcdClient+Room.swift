private struct Compaction: Encodable {
    var revision: Int64Text
    /// It answers when the room is free.
    var physical = true
}
private struct AlarmRequest: Encodable {
    var action: String
    var memberID: String?
    var alarm: String?
}
private struct AlarmAnswer: Decodable {
    struct Alarm: Decodable {
        var memberID: String
        var alarm: String?
    }

    var alarms: [Alarm]?
}

/// A full etcd takes no writes until somebody made room and took its alarm back.
extension EtcdClient {
    /// Forgets what was before now.
    func compact() throws(EtcdFault) {
        let now = try value(of: EtcdKeys.beginning).revision
        do {
            let _: Nothing = try call("kv/compaction", Compaction(revision: Int64Text(now)))
        } catch {
            // Another machine did it.
            guard error == .compacted else { throw error }
        }
    }

    /// Gives the room that is free back to the disk, on the member that is asked.
    func defragment() throws(EtcdFault) {
        let _: Nothing = try call("maintenance/defragment", Nothing())
    }

    /// Takes back all members' alarms that they are full.
    func disarm() throws(EtcdFault) {
        let raised: AlarmAnswer = try call("maintenance/alarm", AlarmRequest(action: "GET"))
        for alarm in raised.alarms ?? [] where alarm.alarm == "NOSPACE" {
            let _: Nothing = try call(
                "maintenance/alarm",
                AlarmRequest(action: "DEACTIVATE", memberID: alarm.memberID, alarm: alarm.alarm))
        }
    }
}
