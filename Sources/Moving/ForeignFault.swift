/// Why a file cannot be read; the sentence says what to do.
package enum ForeignFault: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    case empty, tooLarge, unknown
    /// Reading it would take more time or memory than any file of a household.
    case tooMuch
    /// Others are being read.
    case busy
    /// Text that is no YAML; the parser's line, counted from 1.
    case notYAML(line: Int?)
    case notAdGuardHome
    /// A `.tar.gz`, which Pi-hole 5 made.
    case olderPiHole
    /// `gravity.db` without its archive.
    case databaseAlone
    case brokenArchive, archiveTooLarge, archiveLeadsOut, archiveLocked
    case notPiHole
    case brokenDatabase

    package var description: String {
        switch self {
        case .empty:
            "The file is empty. Choose AdGuardHome.yaml, or the archive that Pi-hole’s Teleporter made."
        case .tooLarge:
            "The file is larger than \(ForeignFile.maximumText). AdGuardHome.yaml and a Teleporter archive are far smaller."
        case .tooMuch:
            "This file holds more than can be read here. AdGuardHome.yaml and a Teleporter archive are far smaller. Export it again."
        case .busy: "Other files are being read right now. Choose this one again in half a minute."
        case .unknown:
            "This is neither AdGuard Home’s AdGuardHome.yaml nor an archive of Pi-hole’s Teleporter. Choose one of them."
        case .notYAML(let line):
            "This file is not whole\(line.map { ": line \($0) cannot be read" } ?? ""). Copy AdGuardHome.yaml anew, and change nothing in it."
        case .notAdGuardHome:
            "This file has no clients and no blocked services. AdGuard Home’s file is called AdGuardHome.yaml and lies beside the program."
        case .olderPiHole:
            "This is an archive of Pi-hole 5. Update to Pi-hole 6, and export it again under Settings, Teleporter."
        case .databaseAlone:
            "This is a database without its archive. Export it under Settings, Teleporter, and choose the .zip file."
        case .brokenArchive:
            "This archive is not whole. Export it again under Settings, Teleporter, and choose the .zip file as it came."
        case .archiveTooLarge:
            "What is packed in this archive is too large. An archive of Pi-hole’s Teleporter is far smaller. Export it again."
        case .archiveLeadsOut:
            "This archive has names that lead out of it, so Pi-hole did not make it. Nothing was unpacked. Export it again under Settings, Teleporter."
        case .archiveLocked: "This archive is encrypted. Export it again under Settings, Teleporter."
        case .notPiHole:
            "This archive has no etc/pihole/gravity.db, so it is none of Pi-hole 6. Export one under Settings, Teleporter."
        case .brokenDatabase:
            "The database in this archive is damaged. Export it again under Settings, Teleporter."
        }
    }
}
