import Foundation

/// Which of the names that Foundation takes are names of the IANA time zone database.
enum ZoneNames {
    /// Names without a slash that the database has; all other such names are abbreviations or offsets.
    private static let single: Set<String> = [
        "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "GB", "GB-Eire", "GMT", "GMT+0",
        "GMT-0", "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan",
        "Kwajalein", "Libya", "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo", "PRC", "PST8PDT", "Poland",
        "Portugal", "ROC", "ROK", "Singapore", "Turkey", "UCT", "UTC", "Universal", "W-SU", "WET", "Zulu",
    ]

    static func isIANA(_ name: String) -> Bool {
        if single.contains(name) { return true }
        // ICU's own inventions beside the database.
        return name.contains("/") && !name.hasPrefix("SystemV/") && name != "Etc/Unknown"
    }

    /// Foundation's list has only the older of some pairs; people look for the newer.
    private static let renamed = [
        "Africa/Asmara", "America/Nuuk", "Asia/Ho_Chi_Minh", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Yangon",
        "Atlantic/Faroe", "Europe/Kyiv", "Pacific/Kanton", "UTC",
    ]

    static var choices: [String] {
        Set(TimeZone.knownTimeZoneIdentifiers).union(renamed).sorted()
    }
}
