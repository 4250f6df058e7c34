package import Foundation
package import Policy

/// A file of AdGuard Home or Pi-hole that a household brings along; only read, and nothing of it is kept.
package enum ForeignFile {
    /// In bytes. AdGuard Home's files and Pi-hole's archives are far smaller: an archive leaves out what block lists block.
    package static let maximum = 16 * 1_024 * 1_024
    package static let maximumText = "16 MB"

    package static func result(_ file: Data) -> Result<ForeignHousehold, ForeignFault> {
        Result { () throws(ForeignFault) in try household(file) }
    }

    /// Tells by the first bytes what a file is, and reads it.
    package static func household(_ file: Data) throws(ForeignFault) -> ForeignHousehold {
        guard !file.isEmpty else { throw .empty }
        guard file.count <= maximum else { throw .tooLarge }
        if file.starts(with: [0x50, 0x4B]) { return try PiHoleArchive(file).household }
        if file.starts(with: [0x1F, 0x8B]) { throw .olderPiHole }
        if file.starts(with: Data("SQLite format 3\0".utf8)) { throw .databaseAlone }
        // What Windows adds to a text on its way.
        let isMarked = file.starts(with: [0xEF, 0xBB, 0xBF])
        let plain = file.dropFirst(isMarked ? 3 : 0).filter { $0 != UInt8(ascii: "\r") }
        guard let text = String(validating: plain, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
            throw .unknown
        }
        return try AdGuardHomeFile(text).household
    }
}
