import Glibc

/// The contents of a small system file; nil if it cannot be read. At most 1 MiB, and never waits for a writer of a pipe.
func fileText(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count < 1 << 20 {
        let count = read(file, &chunk, chunk.count)
        if count < 0 { return nil }
        if count == 0 { break }
        bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// The words of a line, at spaces and tabs.
func words(_ line: Substring) -> [Substring] {
    line.split { $0 == " " || $0 == "\t" }
}
