import Foundation
package import Logging
package import Policy
import Synchronization

/// `DIR/suggested_tasks.json`: a household's own suggestions in place of the shipped ones.
///
/// Pages never wait for the disk: `refresh` reads the file now and then, and `current` returns what it read. If the
/// file is broken, empty, too large or missing, the shipped list is shown.
package final class SuggestedTasksFile: Sendable {
    package static let fileName = "suggested_tasks.json"
    /// Where `restoreShipped` puts the household's list, so that the person can undo it.
    static let asideName = "suggested_tasks.json.old"

    package struct State: Sendable {
        package var tasks: SuggestedTasks
        /// Whether they are the household's own.
        package var isOwn: Bool
        /// Why the household's file is not used; nil: it is used, or there is none.
        package var fault: SuggestedTasks.Fault?
    }

    /// Distinguishes two versions of a file.
    private struct Version: Equatable {
        var seconds: Int
        var nanoseconds: Int
        var size: Int64
        var node: UInt64
    }

    private struct Seen {
        var version: Version?
        var state: State
    }

    private let directory: String?
    private let shipped: SuggestedTasks
    private let log: Logger
    private let seen: Mutex<Seen>

    /// - Parameter directory: the data directory; nil: there is none, and nothing can be saved.
    package init(directory: String?, shipped: SuggestedTasks, log: Logger = Logger(label: "store")) {
        self.directory = directory
        self.shipped = shipped
        self.log = log
        seen = Mutex(Seen(state: State(tasks: shipped, isOwn: false)))
        refresh()
    }

    /// Callable from any thread; does not touch the disk.
    package var current: State { seen.withLock { $0.state } }

    /// Whether the file changed since it was read. Touches the disk, and reads nothing of it.
    package var isStale: Bool {
        guard let directory else { return false }
        let version = Self.version("\(directory)/\(Self.fileName)")
        return seen.withLock { $0.version != version }
    }

    /// Reads the file again.
    package func refresh() {
        guard let directory else { return }
        let path = "\(directory)/\(Self.fileName)"
        let version = Self.version(path)
        var state = State(tasks: shipped, isOwn: false)
        if version != nil {
            do throws(SuggestedTasks.Fault) {
                state = State(tasks: try Self.read(path), isOwn: true)
            } catch {
                state.fault = error
                log.warning(
                    "The shipped suggestions are used: \(Self.fileName) cannot be read",
                    metadata: ["reason": "\(error.message)"])
            }
        }
        seen.withLock { $0 = Seen(version: version, state: state) }
    }

    package func save(_ tasks: SuggestedTasks) throws {
        guard let directory else { throw StoreError.readOnly(path: Self.fileName) }
        try writeAtomically(tasks.json, to: "\(directory)/\(Self.fileName)")
        refresh()
    }

    /// Moves the household's list aside; `takeBack` undoes it.
    package func restoreShipped() throws {
        try move(Self.fileName, to: Self.asideName)
    }

    /// Whether a list was moved aside and none was saved since.
    package var canTakeBack: Bool {
        guard let directory else { return false }
        return Self.version("\(directory)/\(Self.fileName)") == nil
            && fileSize("\(directory)/\(Self.asideName)") != nil
    }

    package func takeBack() throws {
        guard canTakeBack else { return }
        try move(Self.asideName, to: Self.fileName)
    }

    /// Call it while nothing else runs there.
    static func remove(from directory: String) {
        for name in [fileName, asideName] { unlink("\(directory)/\(name)") }
    }

    private func move(_ name: String, to other: String) throws {
        guard let directory else { throw StoreError.readOnly(path: Self.fileName) }
        let path = "\(directory)/\(name)"
        guard rename(path, "\(directory)/\(other)") == 0 || errno == ENOENT else {
            throw StoreError.system(path, errno)
        }
        refresh()
    }

    /// Nil if there is no file at all.
    private static func version(_ path: String) -> Version? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Version(
            seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec),
            size: Int64(status.st_size), node: UInt64(status.st_ino))
    }

    /// Reads at most as much as a list may have, however large the file grows meanwhile. Does not wait for a pipe or a
    /// directory.
    private static func read(_ path: String) throws(SuggestedTasks.Fault) -> SuggestedTasks {
        guard let size = fileSize(path) else { throw .unreadable }
        guard size <= SuggestedTasks.maximumBytes else { throw .tooLarge }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable }
        defer { close(descriptor) }
        var data = Data(count: SuggestedTasks.maximumBytes + 1)
        var count = 0
        while count < data.count {
            let got = data.withUnsafeMutableBytes { buffer in
                Foundation.read(descriptor, buffer.baseAddress! + count, buffer.count - count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw .unreadable }
            if got == 0 { break }
            count += got
        }
        return try SuggestedTasks(json: data.prefix(count))
    }
}
