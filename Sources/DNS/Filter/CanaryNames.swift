/// Names that software asks before it bypasses the network's resolver, and names of resolvers that it then uses.
package enum CanaryNames {
    /// NXDOMAIN for these switches off Firefox's own DoH and Apple's Private Relay.
    package static let canaries = NameSet(suffixes: [browser] + relay)

    /// Firefox asks for it before it uses its own resolver.
    static let browser = "use-application-dns.net"

    /// Apple's systems ask for them before they use Private Relay.
    static let relay = [
        "mask.icloud.com", "mask-h2.icloud.com", "mask-canary.icloud.com", "mask-api.icloud.com",
    ]

    /// Public resolvers that speak DNS over HTTPS, TLS or QUIC: the names that browsers, systems and apps have built in
    /// or offer in their settings.
    package static let encryptedResolvers = NameSet(
        suffixes: [
            "dns.google", "dns64.dns.google", "8888.google", "cloudflare-dns.com", "one.one.one.one",
            "1dot1dot1dot1.cloudflare-dns.com", "dns.cloudflare.com", "cloudflare-gateway.com",
            "dns.quad9.net", "dns9.quad9.net", "dns10.quad9.net", "dns11.quad9.net", "dns12.quad9.net",
            "doh.opendns.com", "doh.familyshield.opendns.com", "doh.sandbox.opendns.com", "dns.opendns.com",
            "dns.umbrella.com", "doh.umbrella.com", "dns.nextdns.io", "dns1.nextdns.io", "dns2.nextdns.io",
            "anycast.dns.nextdns.io", "firefox.dns.nextdns.io", "chromium.dns.nextdns.io", "doh.nextdns.io",
            "dns.adguard.com", "dns.adguard-dns.com", "dns-family.adguard.com", "family.adguard-dns.com",
            "dns-unfiltered.adguard.com", "unfiltered.adguard-dns.com", "d.adguard-dns.com",
            "doh.cleanbrowsing.org", "security-filter-dns.cleanbrowsing.org",
            "family-filter-dns.cleanbrowsing.org",
            "adult-filter-dns.cleanbrowsing.org", "freedns.controld.com", "dns.controld.com",
            "dns.mullvad.net",
            "doh.mullvad.net", "adblock.dns.mullvad.net", "base.dns.mullvad.net", "extended.dns.mullvad.net",
            "family.dns.mullvad.net", "all.dns.mullvad.net", "doh.dns.sb", "dot.sb", "doh.sb", "dns.sb",
            "doh.pub", "dot.pub", "dns.pub", "dns.alidns.com", "dns.ipv6dns.com", "doh.360.cn", "dot.360.cn",
            "dns.twnic.tw", "dns.switch.ch", "dns.digitale-gesellschaft.ch", "dns.digitalcourage.de",
            "dns3.digitalcourage.de", "dnsforge.de", "clean.dnsforge.de", "dns.njal.la", "doh.ffmuc.net",
            "dot.ffmuc.net", "doh.applied-privacy.net", "dot1.applied-privacy.net", "doh.libredns.gr",
            "dot.libredns.gr", "dns.aa.net.uk", "doh.li", "dns0.eu", "zero.dns0.eu", "kids.dns0.eu",
            "unfiltered.joindns4.eu", "protective.joindns4.eu", "child.joindns4.eu", "noads.joindns4.eu",
            "odvr.nic.cz", "ordns.he.net", "wikimedia-dns.org", "doh.tiar.app", "dot.tiar.app",
            "jp.tiar.app", "public.dns.iij.jp", "dns.rubyfish.cn", "doh.seby.io", "dot.seby.io",
            "doh.crypto.sx",
            "doh.powerdns.org", "dns.hostux.net", "dns.dnshome.de", "doh.xfinity.com", "doh.quickline.ch",
            "dns.oszx.co", "dns.pumplex.com", "dns.bebasid.com", "blitz.ahadns.com", "doh.dnslify.com",
            "dns.dnswarden.com", "doh.armadillodns.net", "doh.captnemo.in", "doh.cox.net",
            "resolver.dnsprivacy.org.uk",
            "dnsovertls.sinodun.com", "getdnsapi.net", "dns.rethinkdns.com", "sky.rethinkdns.com",
            "max.rethinkdns.com", "basic.rethinkdns.com", "dns.telekom.de", "dot.telekom.de",
            "dns.decloudus.com",
            "dns.surfsharkdns.com", "dns.nordvpn.com", "doh.bortzmeyer.fr", "dot.bortzmeyer.fr",
            "dns.shecan.ir",
            "free.shecan.ir", "common.dot.dns.yandex.net", "safe.dot.dns.yandex.net",
            "family.dot.dns.yandex.net",
            "private.canadianshield.cira.ca", "protected.canadianshield.cira.ca",
            "family.canadianshield.cira.ca",
        ])
}
