"""Paths of the checkout in a wheel's list of materials become relative to it: materials.py WHEEL CHECKOUT."""

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

wheel, checkout = Path(sys.argv[1]), Path(sys.argv[2]).resolve().as_uri() + "/"
with zipfile.ZipFile(wheel) as archive:
    files = {entry: archive.read(entry) for entry in archive.infolist()}
lines = {}
for entry, data in files.items():
    if entry.filename.endswith(".cyclonedx.json"):
        files[entry] = data = data.replace(checkout.encode(), b"file:///")
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines[entry.filename] = f"{entry.filename},sha256={digest},{len(data)}"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for entry, data in files.items():
        if entry.filename.endswith(".dist-info/RECORD"):
            data = "".join(lines.get(line.split(",")[0], line) + "\n" for line in data.decode().splitlines()).encode()
        archive.writestr(entry, data)
