import Foundation

/// Makes a directory that only we can read, unless it is there.
func makeDirectory(_ path: String) throws(StoreError) {
    if mkdir(path, 0o700) == 0 { return giveToOwnerOfFolder(path) }
    if errno == EEXIST { return }
    guard errno == ENOENT, let parent = path.split(separator: "/").dropLast().last.map({ _ in parent(path) })
    else { throw StoreError.system(path, errno) }
    try makeDirectory(parent)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StoreError.system(path, errno) }
}

private func parent(_ path: String) -> String { (path as NSString).deletingLastPathComponent }

/// Nil if there is no regular file.
func fileSize(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
}

/// SQLite gives its files the permissions of the first: readable by us only.
func createPrivateFile(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError.file(path, errno) }
    close(descriptor)
    giveToOwnerOfFolder(path)
}

/// Gives a file that root made to the owner of its folder: the service runs as that user and must open it.
func giveToOwnerOfFolder(_ path: String) {
    var folder = stat()
    guard geteuid() == 0, stat(parent(path), &folder) == 0, folder.st_uid != 0 else { return }
    _ = lchown(path, folder.st_uid, folder.st_gid)
}

/// Waits until a file's or directory's contents are on the disk.
func synchronize(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError.system(path, errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError.system(path, errno) }
}

/// Replaces `path` by `new`, whole or not at all, even if the power fails.
func replace(_ path: String, by new: String) throws(StoreError) {
    try synchronize(new)
    guard rename(new, path) == 0 else { throw StoreError.system(path, errno) }
    try synchronize(parent(path))
}

/// Writes a file that only we can read, whole or not at all.
func writeAtomically(_ data: Data, to path: String) throws(StoreError) {
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError.system(new, errno) }
    var rest = data[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress!, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
            let number = errno
            close(descriptor)
            unlink(new)
            throw StoreError.system(new, number)
        }
        rest = rest.dropFirst(count)
    }
    close(descriptor)
    giveToOwnerOfFolder(new)
    try replace(path, by: new)
}

/// Removes a database and what SQLite keeps beside it.
func removeDatabase(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
}
