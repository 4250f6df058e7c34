import Foundation
import GRDB

/// Why the store could not do what it was asked, in words that a person can act on.
///
/// Nothing of the change was kept, and the last committed household still holds.
package enum StoreError: Error, Hashable, CustomStringConvertible {
    /// Another server holds the directory's lock; its process id, if the lock file has it.
    case alreadyRunning(pid: Int32?)
    case notFound(path: String)
    case diskFull
    case readOnly(path: String)
    /// The directory or file cannot be opened; the reason in SQLite's or the system's words.
    case cannotOpen(path: String, reason: String)
    /// Another user of this machine owns a file or the folder, and denies us access.
    case notOurs(path: String, owner: UInt32)
    /// The disk answered with an error while reading or writing.
    case disk(reason: String)
    case damaged(path: String, reason: String)
    /// An SQLite file of another program.
    case foreign(path: String)
    /// Written by a later version of this program.
    case newer(path: String)
    /// Written by a build before the first release.
    case older(path: String)
    /// The change breaks a constraint of the schema.
    case refused(reason: String)
    case unknownTimeZone(String)
    /// Another process is writing and did not finish in time.
    case busy
    /// The household is on several machines, and this machine cannot ask the others.
    case cutOff(reason: String)
    /// Everything was erased a moment ago, and the server begins anew.
    case erased

    package var description: String {
        switch self {
        case .alreadyRunning(let pid):
            let which = pid.map { " (process \($0))" } ?? ""
            return
                "Sleep Inducer is already running on this data\(which). Stop it first, or use another --data."
        case .notFound(let path): return "There is no database at \(path) yet."
        case .diskFull: return "The disk is full, so this was not saved. Blocking goes on as before."
        case .readOnly(let path):
            return "\(path) cannot be written, so this was not saved. Blocking goes on as before."
        case .cannotOpen(let path, let reason): return "\(path) cannot be opened: \(reason)."
        case .notOurs(let path, let owner):
            return
                "\(path) belongs to user \(owner), and this is user \(geteuid()), who may not write it. "
                + "Run chown -R \(geteuid()) on the data (for a container, on the folder that is mounted), "
                + "or start once as root (a container with --user 0), which does the same."
        case .disk(let reason):
            return
                "The disk reported an error (\(reason)), so this was not saved. Blocking goes on as before."
        case .damaged(let path, let reason): return "\(path) is damaged: \(reason)."
        case .foreign(let path): return "\(path) is not a Sleep Inducer database."
        case .newer(let path):
            return
                "A newer version of Sleep Inducer wrote \(path). Use that version, or go back with "
                + "sleep-inducer restore: its --help says how."
        case .older(let path):
            return
                "A build of Sleep Inducer before the first release wrote \(path), in another "
                + "format. The file is unchanged. Move its folder away, or use another --data."
        case .refused(let reason): return "This cannot be saved: \(reason)."
        case .unknownTimeZone(let name): return "\u{201C}\(name)\u{201D} is not a time zone."
        case .cutOff(let reason):
            return
                "This was not saved, because this machine cannot ask the household's other machines: "
                + "\(reason). The rules hold as before. Help and Emergency Reset work. Try again later, "
                + "or see More, Machines."
        case .erased: return "Everything was erased. Sleep Inducer starts again in a moment."
        case .busy: return "The database is busy. Nothing was saved. Try again."
        }
    }
}

extension StoreError {
    /// SQLite's result codes in the store's words; errors that are not SQLite's stay as they are.
    static func translating<T>(_ path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }

    init(_ error: DatabaseError, path: String) {
        let reason = error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_CANTOPEN, .SQLITE_AUTH: self = .cannotOpen(path: path, reason: reason)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path, reason: reason)
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG: self = .refused(reason: reason)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        default: self = .disk(reason: reason)
        }
    }

    /// Whether the disk holds the rules but takes no changes: the server then goes on with them.
    var isAboutWriting: Bool {
        switch self {
        case .diskFull, .readOnly, .disk: true
        default: false
        }
    }

    /// The same error for a database that could not be opened, before anything runs.
    func opening(_ path: String) -> StoreError {
        switch self {
        case .diskFull: .cannotOpen(path: path, reason: "the disk is full")
        case .readOnly: .cannotOpen(path: path, reason: "the disk is read-only")
        case .disk(let reason): .cannotOpen(path: path, reason: "the disk reported an error (\(reason))")
        default: self
        }
    }

    /// The same if no rules could be read either, so that nothing can begin.
    func beginning(_ path: String) -> StoreError {
        guard case .readOnly = self else { return opening(path) }
        return .cannotOpen(
            path: path,
            reason: "the disk is read-only, and no household is on it. Make it writable (for a container, "
                + "mount the data without :ro)")
    }

    /// The same after a data file could not be opened; its owner may be the reason.
    static func file(_ path: String, _ number: Int32) -> StoreError {
        func owner(_ path: String) -> UInt32? {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_uid : nil
        }
        for place in [path, (path as NSString).deletingLastPathComponent] where number == EACCES {
            if let owner = owner(place), owner != geteuid() { return .notOurs(path: place, owner: owner) }
        }
        return system(path, number)
    }

    /// The calling thread's `errno` after a system call on `path` failed.
    static func system(_ path: String, _ number: Int32) -> StoreError {
        switch number {
        case ENOSPC, EDQUOT: .diskFull
        case EROFS: .readOnly(path: path)
        default: .cannotOpen(path: path, reason: String(cString: strerror(number)))
        }
    }
}
