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

/// The names of a folder's visible files, in the system's order; none if it cannot be read.
func fileNames(in folder: String) -> [String] {
    guard let open = opendir(folder) else { return [] }
    defer { closedir(open) }
    var names: [String] = []
    while let entry = readdir(open) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}

/// The words of a line, at spaces and tabs.
func words(_ line: Substring) -> [Substring] {
    line.split { $0 == " " || $0 == "\t" }
}
