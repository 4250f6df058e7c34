// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// A room of the house: what it imports is what the map in Docs/developing.md draws.
func room(
    _ name: String, _ rooms: [Target.Dependency] = [], _ packages: [Target.Dependency] = []
) -> Target {
    .target(name: name, dependencies: rooms + packages, swiftSettings: house)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: house)
}

/// A release says which commit it was made from: the Makefile sets this. Other builds need not be made anew for it.
let commit = Context.environment["SLEEP_INDUCER_COMMIT"]

/// The rooms whose tests are built, such as "DNSTests StoreTests"; nil: all. A change of Policy builds all of them anew,
/// which takes minutes.
let testRooms = Context.environment["TEST_ROOMS"]?.split(separator: " ").map(String.init)

let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHPACK: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let certificates: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(
    name: "HummingbirdCore", package: "hummingbird")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypes2: Target.Dependency = .product(
    name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let hummingbirdTesting: Target.Dependency = .product(
    name: "HummingbirdTesting", package: "hummingbird")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let signals: Target.Dependency = .product(
    name: "UnixSignals", package: "swift-service-lifecycle")
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let httpClient: Target.Dependency = .product(
    name: "AsyncHTTPClient", package: "async-http-client")
let yaml: Target.Dependency = .product(name: "Yams", package: "Yams")
let arguments: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "sleep-inducer",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "sleep-inducer", targets: ["SleepInducer"])],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        room("Directory"),
        room("QR"),
        room("Policy", ["Directory"]),
        room(
            "DNS", ["Directory", "LinuxCalls"],
            [nio, nioPosix, nioTLS, nioSSL, nioHTTP, nioHTTP2, nioHPACK, log]),
        room("Store", ["Directory", "Policy"], [grdb, sqlite, crypto, log]),
        .target(name: "AssetBytes"),
        room("Assets", ["AssetBytes"]),
        room("Pages", ["Assets", "Policy"], [mustache]),
        .target(name: "LinuxCalls"),
        .target(name: "BuildFacts", cSettings: commit.map { [.define("COMMIT", to: "\"\($0)\"")] } ?? []),
        .systemLibrary(name: "Zlib"),
        room("Moving", ["Directory", "Policy", "Store", "Zlib"], [yaml]),
        room("LocalNetwork", ["Directory", "LinuxCalls"]),
        room("Outbound", ["Policy"], [httpClient, nio, nioPosix, nioHTTP, crypto, log]),
        room(
            "Shield", ["Directory", "Policy", "LinuxCalls"],
            [nio, nioPosix, nioTLS, nioSSL, nioHTTP, nioHTTP2, nioHPACK, crypto, log]),
        room(
            "Dashboard", ["Directory", "Pages", "Assets", "Store", "Policy", "QR", "Moving", "Zlib"],
            [
                hummingbird, hummingbirdCore, nio, nioPosix, nioHTTP, nioHTTP2, nioHTTPTypes, nioHTTPTypes2,
                crypto, cryptoExtras, log,
            ]),
        room("Enforcement", ["Directory", "Policy", "Store", "DNS", "Shield", "LocalNetwork"], [nio, log]),
        room(
            "Cluster", ["Directory", "Policy", "Store", "Identity", "LocalNetwork"],
            [httpClient, nio, nioPosix, nioHTTP, nioSSL, crypto, log]),
        room("Identity", ["Directory", "Policy", "Store"], [nio, nioSSL, certificates, asn1, crypto, log]),
        .executableTarget(
            name: "SleepInducer",
            dependencies: [
                "Assets", "Directory", "Policy", "Store", "DNS", "Enforcement", "Pages", "Shield",
                "Dashboard",
                "LocalNetwork", "Outbound", "Identity", "QR", "Moving", "BuildFacts",
                "Cluster",
                arguments,
                lifecycle,
                signals, log, nio, nioPosix, nioSSL,
            ],
            swiftSettings: house),
        tests("DirectoryTests", ["Directory"]),
        tests("QRCodeTests", ["QR"]),
        tests("PolicyTests", ["Policy", "Directory", "Assets"]),
        tests(
            "DNSTests",
            [
                "DNS", "Directory", nio, nioPosix, nioTLS, nioSSL, nioHTTP, nioHTTP2, nioHPACK, certificates,
                asn1, crypto,
            ]),
        tests("StoreTests", ["Store", "Directory", "Policy", grdb, sqlite, log]),
        tests("EnforcementTests", ["Enforcement", "Directory", "Store", "Policy", "DNS", nio, nioPosix]),
        tests("PagesTests", ["Pages", "Policy", "Assets", "Dashboard", "Store"], exclude: ["Golden"]),
        tests("ShieldTests", ["Shield", "Directory", "Policy", nio, nioPosix, nioHTTP, nioEmbedded, log]),
        tests(
            "DashboardTests",
            [
                "Dashboard", "Directory", "Store", "Policy", "Pages", "Assets", hummingbird, hummingbirdCore,
                hummingbirdTesting,
                nio, nioPosix, nioEmbedded, nioHTTPTypes, log,
            ]),
        tests("OutboundTests", ["Outbound", "Policy", nio, nioPosix, nioHTTP, log]),
        tests("LocalNetworkTests", ["LocalNetwork", "Directory", "LinuxCalls"], exclude: ["Golden"]),
        tests("MovingTests", ["Moving", "Policy"]),
        tests("ClusterTests", ["Cluster", "Store", "Policy", log]),
        tests("ArchitectureTests", []),
        tests(
            "SleepInducerTests",
            [
                "SleepInducer", "Directory", "Enforcement", "Identity", "Shield",
                "Policy",
                "Store", "DNS", "Assets", "LocalNetwork", arguments, certificates, asn1, crypto, nio,
                nioPosix,
                nioTLS, nioSSL, log,
            ]),
    ].filter { $0.type != .test || testRooms?.contains($0.name) ?? true },
    cLanguageStandard: .c2x
)
