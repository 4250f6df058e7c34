/// Does what may wait for the disk, or for the household's other machines, on the threads that Swift's tasks share. The
/// house's thread must not wait. A caller that is cancelled does not stop the work.
package func onSharedThreads<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await Task(executorPreference: globalConcurrentExecutor) { Result(catching: work) }.value.get()
}
