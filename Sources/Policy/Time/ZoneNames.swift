import Foundation

/// Picks the IANA time zone names among those that Foundation accepts.
enum ZoneNames {
    /// Names of the database without a slash; all other such names are abbreviations or offsets.
    private static let single: Set<String> = [
        "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "GB", "GB-Eire", "GMT", "GMT+0",
        "GMT-0", "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan",
        "Kwajalein", "Libya", "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo", "PRC", "PST8PDT", "Poland",
        "Portugal", "ROC", "ROK", "Singapore", "Turkey", "UCT", "UTC", "Universal", "W-SU", "WET", "Zulu",
    ]

    static func isIANA(_ name: String) -> Bool {
        if single.contains(name) { return true }
        // ICU's own inventions, which the database does not have.
        return name.contains("/") && !name.hasPrefix("SystemV/") && name != "Etc/Unknown"
    }

    /// Links and fixed offsets of the database that Foundation's list lacks: machines have them, and people look for
    /// some of the newer names.
    private static let links: Set<String> = [
        "Africa/Asmara", "Africa/Asmera", "Africa/Timbuktu", "America/Argentina/ComodRivadavia",
        "America/Atka", "America/Buenos_Aires", "America/Catamarca", "America/Coral_Harbour",
        "America/Cordoba", "America/Ensenada", "America/Fort_Wayne", "America/Indianapolis",
        "America/Jujuy", "America/Knox_IN", "America/Louisville", "America/Mendoza", "America/Nuuk",
        "America/Porto_Acre", "America/Rosario", "America/Virgin", "Asia/Ashkhabad", "Asia/Chungking",
        "Asia/Dacca", "Asia/Ho_Chi_Minh", "Asia/Istanbul", "Asia/Kathmandu", "Asia/Kolkata",
        "Asia/Macao", "Asia/Saigon", "Asia/Tel_Aviv", "Asia/Thimbu", "Asia/Ujung_Pandang",
        "Asia/Ulan_Bator", "Asia/Yangon", "Atlantic/Faeroe", "Atlantic/Faroe", "Atlantic/Jan_Mayen",
        "Australia/ACT", "Australia/Canberra", "Australia/LHI", "Australia/NSW", "Australia/North",
        "Australia/Queensland", "Australia/South", "Australia/Tasmania", "Australia/Victoria",
        "Australia/West", "Australia/Yancowinna", "Brazil/Acre", "Brazil/DeNoronha", "Brazil/East",
        "Brazil/West", "Canada/Atlantic", "Canada/Central", "Canada/Eastern", "Canada/Mountain",
        "Canada/Newfoundland", "Canada/Pacific", "Canada/Saskatchewan", "Canada/Yukon",
        "Chile/Continental", "Chile/EasterIsland", "Etc/GMT", "Etc/GMT+0", "Etc/GMT+1", "Etc/GMT+10",
        "Etc/GMT+11", "Etc/GMT+12", "Etc/GMT+2", "Etc/GMT+3", "Etc/GMT+4", "Etc/GMT+5", "Etc/GMT+6",
        "Etc/GMT+7", "Etc/GMT+8", "Etc/GMT+9", "Etc/GMT-0", "Etc/GMT-1", "Etc/GMT-10", "Etc/GMT-11",
        "Etc/GMT-12", "Etc/GMT-13", "Etc/GMT-14", "Etc/GMT-2", "Etc/GMT-3", "Etc/GMT-4", "Etc/GMT-5",
        "Etc/GMT-6", "Etc/GMT-7", "Etc/GMT-8", "Etc/GMT-9", "Etc/GMT0", "Etc/Greenwich", "Etc/UCT",
        "Etc/UTC", "Etc/Universal", "Etc/Zulu", "Europe/Belfast", "Europe/Kyiv", "Europe/Nicosia",
        "Europe/Tiraspol", "Mexico/BajaNorte", "Mexico/BajaSur", "Mexico/General", "Pacific/Kanton",
        "Pacific/Samoa", "Pacific/Yap", "US/Alaska", "US/Aleutian", "US/Arizona", "US/Central",
        "US/East-Indiana", "US/Eastern", "US/Hawaii", "US/Indiana-Starke", "US/Michigan", "US/Mountain",
        "US/Pacific", "US/Samoa",
    ]

    static var choices: [String] {
        Set(TimeZone.knownTimeZoneIdentifiers).union(links).union(single).sorted()
    }
}
