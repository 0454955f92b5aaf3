#!/bin/sh
# Installs the program of a release: install.sh [FOLDER], by default ~/.local/bin. BLEUPRINT_VERSION names another version.
set -eu

repository="${BLEUPRINT_REPOSITORY:-https://REPOSITORY}"
version="${BLEUPRINT_VERSION:-0.1.0}"
folder="${1:-$HOME/.local/bin}"

case "$(uname -s)" in
  Linux) system=unknown-linux-gnu ;;
  Darwin) system=apple-darwin ;;
  *) echo "no program for $(uname -s): see install.ps1, or cargo install bleuprint-cli" >&2; exit 1 ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) machine=x86_64 ;;
  aarch64 | arm64) machine=aarch64 ;;
  *) echo "no program for $(uname -m): cargo install bleuprint-cli" >&2; exit 1 ;;
esac

name="bleuprint-$machine-$system"
below="$(mktemp -d)"
trap 'rm -rf "$below"' EXIT
for file in "$name.tar.gz" SHA256SUMS; do
  curl --proto '=https' --fail --silent --show-error --location --output "$below/$file" \
    "$repository/releases/download/v$version/$file"
done
cd "$below"
grep " $name.tar.gz\$" SHA256SUMS > sum || { echo "SHA256SUMS does not name $name.tar.gz" >&2; exit 1; }
if command -v sha256sum > /dev/null; then sha256sum --check --quiet sum; else shasum -a 256 --check --quiet sum; fi
tar -xzf "$name.tar.gz"
mkdir -p "$folder"
install -m 755 "$name/bleuprint" "$folder/bleuprint"
"$folder/bleuprint" --version
