"""Files as a layer, and a layer as an image: an OCI layout that `docker load` and `podman load` take."""

import hashlib
import io
import json
import os
import tarfile
import zlib
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
# In a manifest of OCI's own type podman drops HEALTHCHECK, which OCI does not know; in one of Docker's both heed it.
KINDS = {
    "config": "application/vnd.docker.container.image.v1+json",
    "layer": "application/vnd.docker.image.rootfs.diff.tar.gzip",
    "manifest": "application/vnd.docker.distribution.manifest.v2+json",
    "index": "application/vnd.oci.image.index.v1+json"}


def tar(files, epoch, owners={}, rights={}):
    """An archive of `files`, paths to bytes (or a link's target) and mode: sorted, with fixed times, owned by root.

    `owners` are folders of others; `rights` are files' capabilities.
    """
    folders = {str(parent) for name in [*files, *owners] for parent in Path(name).parents} - {"."}
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted({*files, *folders, *owners}):
            entry = tarfile.TarInfo(name)
            entry.mtime = epoch
            content, entry.mode = files.get(name, (None, 0o755))
            if content is None:
                entry.type = tarfile.DIRTYPE
                if name in owners:
                    entry.uid = entry.gid = owners[name]
                    entry.mode = 0o700
            elif isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
            else:
                entry.size = len(content)
                if name in rights:
                    entry.pax_headers = {"SCHILY.xattr.security.capability": rights[name].decode("latin-1")}
            archive.addfile(entry, io.BytesIO(content) if isinstance(content, bytes) else None)
    return memory.getvalue()


def digest(content):
    return hashlib.sha256(content).hexdigest()


def image(layer, architecture, version, revision, epoch):
    """The files of an OCI layout (image-spec 1.0), which is a `docker save` archive too, for older Dockers."""
    when = datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = json.loads((HERE / "config.json").read_text())
    config["Labels"] |= {
        "org.opencontainers.image.version": version, "org.opencontainers.image.revision": revision,
        "org.opencontainers.image.created": when}
    if source := os.environ.get("SOURCE_URL"):
        config["Labels"]["org.opencontainers.image.source"] = source
    # As gzip, without a time.
    packing = zlib.compressobj(int(os.environ.get("COMPRESSION", 9)), zlib.DEFLATED, 31)
    packed = packing.compress(layer) + packing.flush()
    blobs = {}

    def blob(content, kind, **more):
        blobs[f"blobs/sha256/{digest(content)}"] = (content, 0o644)
        return {"mediaType": kind, "digest": f"sha256:{digest(content)}", "size": len(content), **more}

    platform = {"architecture": architecture, "os": "linux"} | ({"variant": "v8"} if architecture == "arm64" else {})
    described = blob(json.dumps({
        **platform, "created": when, "config": config,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest(layer)}"]},
        "history": [{"created": when, "created_by": "Packaging/build-image"}]}).encode(), KINDS["config"])
    held = blob(packed, KINDS["layer"])
    manifest = blob(
        json.dumps({"schemaVersion": 2, "mediaType": KINDS["manifest"], "config": described, "layers": [held]}).encode(),
        KINDS["manifest"], platform=platform, annotations={
            "io.containerd.image.name": f"docker.io/library/sleep-inducer:{version}",
            "org.opencontainers.image.ref.name": f"sleep-inducer:{version}"})
    saved = [{"Config": place(described), "RepoTags": [f"sleep-inducer:{version}"], "Layers": [place(held)]}]
    index = {"schemaVersion": 2, "mediaType": KINDS["index"], "manifests": [manifest]}
    return blobs | {name: (json.dumps(value).encode(), 0o644) for name, value in {
        "oci-layout": {"imageLayoutVersion": "1.0.0"}, "index.json": index, "manifest.json": saved}.items()}


def place(descriptor):
    return "blobs/" + descriptor["digest"].replace(":", "/")
