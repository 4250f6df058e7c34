import Glibc
import LinuxCalls

/// One run of a program on this machine: fixed path, fixed arguments, all other input through its standard input.
package enum ToolRun {
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        case notStarted(String, code: Int32)
        case tooSlow(String)
        /// Its standard error, in one line.
        case refused(String)

        package var description: String {
            switch self {
            case .notStarted(let path, ENOENT): "\(path) is missing."
            case .notStarted(let path, let code): "\(path): \(String(cString: strerror(code)))"
            case .tooSlow(let path): "\(path) took too long and was stopped."
            case .refused(let text): text
            }
        }
    }

    /// Runs it and waits for its end.
    /// - Parameter patience: milliseconds after which it is ended.
    /// - Returns: its standard output.
    package static func output(
        of path: String, _ arguments: [String], input: [UInt8] = [], patience: Int32 = 20_000
    ) throws -> [UInt8] {
        let files = try (0..<3).map { _ in try MemoryFile() }
        try files[0].write(input)
        var process: Int32 = 0
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let failure = linux_start(
            path, words, files[0].descriptor, files[1].descriptor, files[2].descriptor, &process)
        guard failure == 0 else { throw Failure.notStarted(path, code: failure) }
        let status = linux_wait(process, patience)
        guard status >= 0 else { throw Failure.tooSlow(path) }
        guard status == 0 else {
            throw Failure.refused(firstLine(files[2].bytes) ?? "\(path) failed (\(status)).")
        }
        return files[1].bytes
    }

    private static func firstLine(_ bytes: [UInt8]) -> String? {
        let line = bytes.split(separator: UInt8(ascii: "\n")).first
        return line.map { String(decoding: $0.prefix(300), as: UTF8.self) }
    }
}

/// A file that exists only in memory, until it is released.
private final class MemoryFile {
    let descriptor: Int32

    init() throws(ToolRun.Failure) {
        descriptor = linux_memory_file()
        if descriptor < 0 { throw .notStarted("A file in memory", code: errno) }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[done...])
                return Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            guard count > 0 else { throw ToolRun.Failure.notStarted("A file in memory", code: errno) }
            done += count
        }
        lseek(descriptor, 0, SEEK_SET)
    }

    var bytes: [UInt8] {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        lseek(descriptor, 0, SEEK_SET)
        guard size > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, size))
        }
    }
}
