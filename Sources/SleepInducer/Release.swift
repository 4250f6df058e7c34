import BuildFacts

/// The name of this build, its commit and its architecture.
enum Release {
    static let version = "0.1.0"

    /// What `--version` prints: the version, the commit in 40 digits (or that this is no release), and the architecture
    /// in Debian's words.
    static var inFull: String {
        let commit = String(cString: build_commit())
        return "\(version) (\(commit.isEmpty ? "no release" : "commit \(commit)"), \(architecture))"
    }

    private static var architecture: String {
        #if arch(x86_64)
            "amd64"
        #elseif arch(arm64)
            "arm64"
        #else
            "another architecture"
        #endif
    }
}
