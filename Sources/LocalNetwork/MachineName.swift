import Glibc

/// This machine's host name.
package enum MachineName {
    /// With its domain if one is set; nil if the kernel does not tell.
    package static func current() -> String? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let status = buffer.withUnsafeMutableBytes { gethostname($0.baseAddress!, $0.count - 1) }
        let name = String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
        return status == 0 && !name.isEmpty ? name : nil
    }
}
