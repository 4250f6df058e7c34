import Foundation
import LocalNetwork
import Moving
import Policy
import Synchronization

/// Reads files of other programs in a process of its own, one at a time.
///
/// A file can be made so that its reader takes all memory, or never ends, and a thread can be stopped at neither. A process
/// can: the kernel holds it to its bounds, and whatever happens to it, the server goes on.
enum ForeignReader {
    /// The only argument of that process.
    static let word = "read-foreign-file"
    /// In milliseconds. Two files are read within the time that a browser's request may take.
    private static let patience: Int32 = 7_000
    private static let most = 2
    /// In bytes. What a file says of a household is far smaller, and the pages that show it compute with all of it.
    private static let longestAnswer = 1 << 20
    private static let queue = DispatchQueue(label: "foreign-files")
    private static let waiting = Mutex(0)

    private enum Answer: Codable, Sendable {
        case household(ForeignHousehold)
        case fault(ForeignFault)
    }

    /// Waits for the process, on a thread that nobody shares.
    static func result(_ file: Data) async -> Result<ForeignHousehold, ForeignFault> {
        let mayWait = waiting.withLock { count in
            count += 1
            return count <= most
        }
        defer { waiting.withLock { $0 -= 1 } }
        guard mayWait else { return .failure(.busy) }
        let answer: Answer = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Self.answer(to: file)) }
        }
        switch answer {
        case .household(let household): return .success(household)
        case .fault(let fault): return .failure(fault)
        }
    }

    private static func answer(to file: Data) -> Answer {
        guard file.count <= ForeignFile.maximum else { return .fault(.tooLarge) }
        guard
            let output = try? ToolRun.output(
                of: "/proc/self/exe", [word], input: [UInt8](file), patience: patience),
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(output))
        else { return .fault(.tooMuch) }
        return answer
    }

    /// What that process does: reads standard input, and answers on standard output.
    static func run() throws {
        let isBounded = ResourceBounds.set(
            memory: 256 << 20, seconds: UInt(patience) / 1_000, file: UInt(longestAnswer))
        let answer = isBounded ? read() : .fault(.tooMuch)
        let bytes = try JSONEncoder().encode(answer)
        let isShort = bytes.count <= longestAnswer
        FileHandle.standardOutput.write(isShort ? bytes : try JSONEncoder().encode(Answer.fault(.tooMuch)))
    }

    private static func read() -> Answer {
        switch ForeignFile.result(FileHandle.standardInput.readDataToEndOfFile()) {
        case .success(let household): .household(household)
        case .failure(let fault): .fault(fault)
        }
    }
}
