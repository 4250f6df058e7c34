/// Keys that stay while somebody says so.
extension EtcdClient {
    /// - Parameter seconds: until it ends, unless it is kept alive.
    package func lease(seconds: Int64) throws(EtcdFault) -> Int64 {
        let answer: LeaseAnswer = try call("lease/grant", LeaseRequest(ttl: Int64Text(seconds)))
        guard let lease = answer.id?.value else { throw .other(answer.error ?? "no lease") }
        return lease
    }

    /// Throws `noLease` for a lease that is over.
    package func keepAlive(lease: Int64) throws(EtcdFault) {
        let answer: KeepAliveAnswer = try call("lease/keepalive", LeaseID(id: Int64Text(lease)))
        guard answer.result?.ttl?.value ?? 0 > 0 else { throw .noLease }
    }

    package func end(lease: Int64) throws(EtcdFault) {
        let _: Nothing = try call("lease/revoke", LeaseID(id: Int64Text(lease)))
    }
}
