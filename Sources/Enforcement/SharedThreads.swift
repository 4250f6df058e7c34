/// Does what may wait for the disk, or for the household's other machines, on the threads that Swift's tasks share. The
/// house's thread must not wait. A caller that is cancelled does not stop the work.
package func onSharedThreads<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await Task(executorPreference: globalConcurrentExecutor) { try work() }.value
}
