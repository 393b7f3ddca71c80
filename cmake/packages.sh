#!/usr/bin/env bash
# Installs the Debian packages that building and testing need, and further ones given as arguments; only what is missing.
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config git python3 zstd
  libeigen3-dev libtbb-dev libfmt-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
  libfast-float-dev libxxhash-dev zlib1g-dev libzstd-dev libutf8proc-dev libstemmer-dev
  libgtest-dev libbenchmark-dev liblinear-dev
  "$@"
)
missing=()
for package in "${packages[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "these packages are missing, and there is no sudo to install them: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "installing: ${missing[*]}" >&2
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
