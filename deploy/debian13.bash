# Sourced, after steps.bash, by the scripts that build for Debian 13 whatever Debian they run on: a Debian 13 tree for
# amd64 with Debian's own Swift to build in, and a Swift SDK for arm64. Both stand in .build-debian13 and are made once,
# and again when what belongs into them changes.

trees=.build-debian13
tree=$trees/tree
sdk=$trees/sdks/debian13-arm64.artifactbundle
sysroot=$sdk/sysroot

# What the program is built against, in the tree for amd64 and in the SDK for arm64.
libraries=(
  libc6-dev libstdc++-14-dev
  libasound2-dev libgpiod-dev libmpg123-dev libsndfile1-dev libsoxr-dev libtomlplusplus-dev
)
# In the tree: Swift, git with which it fetches packages, and what runs an arm64 program here.
tree_packages=(swiftlang git ca-certificates pkg-config qemu-user "${libraries[@]}")
# In the SDK: Swift's own libraries; base-files brings the link /lib, without which libc.so leads the linker nowhere.
sdk_packages=(base-files swiftlang libswiftlang "${libraries[@]}")

# As the program is released: the standard library inside, no symbols, libraries only where the system has them.
release_options=(--product jackdaw -c release --static-swift-stdlib --disable-local-rpath -Xlinker -s)

# Makes what is missing. Ends with status 2 on a machine where it cannot be made.
prepare_trees() {
  local reason
  reason=$(why_no_trees)
  [[ -z $reason ]] || give_up 2 "No Debian 13 tree can be made here: $reason."
  install_missing mmdebstrap debian-archive-keyring file binutils
  mkdir -p "$trees" "$sdk"
  is_made "$tree" "${tree_packages[@]}" || step tree "Make a Debian 13 tree with Swift" "2 minutes" make_tree || exit 1
  is_made "$sysroot" "${sdk_packages[@]}" || step sdk "Make a Swift SDK for arm64" "2 minutes" make_sdk || exit 1
}

# Says nothing where trees can be made.
why_no_trees() {
  if [[ $(uname -m) != x86_64 ]]; then
    echo "this machine is no amd64 one"
  elif ! command -v apt-get >/dev/null; then
    echo "this system has no apt"
  elif ! can_be_root; then
    echo "that takes root, and sudo asks for a password"
  elif ! as_root unshare --mount true 2>/dev/null; then
    echo "root may mount nothing here"
  fi
}

# is_made FOLDER PACKAGE…: whether it was made to its end, of just these packages.
is_made() {
  local folder=$1
  shift
  [[ -d $folder && $(cat "$folder.packages" 2>/dev/null) == "$*" ]]
}

make_tree() {
  debian13 amd64 apt "$tree" "${tree_packages[@]}" && echo "${tree_packages[*]}" >"$tree.packages"
}

# Unpacked only: no program of it runs here.
make_sdk() {
  debian13 arm64 extract "$sysroot" "${sdk_packages[@]}" && prune_sysroot && describe_sdk &&
    echo "${sdk_packages[*]}" >"$sysroot.packages"
}

# debian13 ARCHITECTURE VARIANT FOLDER PACKAGE…
debian13() {
  local architecture=$1 variant=$2 folder=$3 settings=$trees/apt.conf mirror
  shift 3
  # This machine's proxies, and whether it trusts its clock.
  apt-config dump | grep -E '^Acquire::(https?|Check-|Retries)' >"$settings" || true
  mirror=$(own_mirror)
  as_root rm -rf "$folder" "$folder.packages" &&
    as_root mmdebstrap --mode=root --variant="$variant" --architectures="$architecture" --aptopt="$settings" \
      --aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io --include="$(IFS=,; echo "$*")" \
      trixie "$folder" ${mirror:+"$mirror"}
}

# Where this machine has its own Debian from; without it mmdebstrap knows one itself.
own_mirror() {
  (. /etc/os-release && [[ $ID == debian ]] || exit 0
    apt-get indextargets --format '$(RELEASE) $(REPO_URI)' | awk -v own="${VERSION_CODENAME:-}" '$1 == own { print $2; exit }')
}

# 3 GB become 0.5: programs, documentation and whatever is for other systems than the board.
prune_sysroot() {
  local swift=$sysroot/usr/libexec/swift
  as_root rm -rf "$swift"/{bin,libexec,share,local,include} "$swift"/lib/*.so* "$swift"/lib/swift/{host,pm,migrator} \
    "$swift"/lib/swift{,_static}/embedded "$sysroot"/usr/{bin,sbin,libexec/gcc,share/{doc,man,locale,lintian,info}} \
    "$sysroot"/usr/lib/{python3*,gcc/*/*/{cc1,lto1,collect2}} "$sysroot"/var/cache &&
    as_root find "$swift/lib/clang" -path '*/lib/linux/*' -type f ! -name '*builtins*' ! -name 'clang_rt.crt*' -delete &&
    as_root ln -sfn ../libexec/swift/lib/swift_static "$sysroot/usr/lib/swift_static" &&
    as_root find "$sysroot/usr/libexec" -xtype l -delete
}

# What makes a folder a Swift SDK. The linker must be lld, the only one in the tree that links for another machine.
describe_sdk() {
  cat >"$sdk/info.json" <<-END
	{ "schemaVersion": "1.0", "artifacts": { "debian13-arm64": { "type": "swiftSDK", "version": "6.0.3", "variants":
	  [ { "path": ".", "supportedTriples": ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"] } ] } } }
	END
  cat >"$sdk/swift-sdk.json" <<-END
	{ "schemaVersion": "4.0", "targetTriples": { "aarch64-unknown-linux-gnu": {
	  "sdkRootPath": "sysroot", "swiftResourcesPath": "sysroot/usr/lib/swift",
	  "swiftStaticResourcesPath": "sysroot/usr/lib/swift_static", "toolsetPaths": ["toolset.json"] } } }
	END
  cat >"$sdk/toolset.json" <<-END
	{ "schemaVersion": "1.0", "swiftCompiler": { "extraCLIOptions": ["-use-ld=lld", "-no-toolchain-stdlib-rpath"] } }
	END
  # The compiler warns without it.
  echo '{ "DisplayName": "Debian 13 arm64", "CanonicalName": "linux", "Version": "6.0.3", "VersionMap": {} }' |
    as_root tee "$sysroot/SDKSettings.json" >/dev/null
}

# in_tree COMMAND…: runs it in the tree as whoever started this script, in the repository, which is /src there. Its
# mounts end with it.
in_tree() {
  local home=$trees/home folders=() key value
  mkdir -p "$home"
  rm -f "$home/.gitconfig"
  # Where git on this machine takes packages from other places, it does so in the tree.
  while read -r key value; do
    git config --file "$home/.gitconfig" --add "$key" "$value"
    key=${key#url.}
    [[ ! -d ${key%.insteadof} ]] || folders+=("${key%.insteadof}")
  done < <(git config --get-regexp '^url\..*\.insteadof$')
  git config --file "$home/.gitconfig" --add safe.directory '*'
  as_root unshare --mount --propagation private bash -c '
    set -euo pipefail
    tree=$1 repository=$2 user=$3 folders=$4; shift 4
    see() { mkdir -p "$tree$2" && mount --rbind "$1" "$tree$2"; }
    see "$repository" /src
    see /dev /dev
    mount -t proc proc "$tree/proc"
    cp /etc/resolv.conf "$tree/etc/resolv.conf"
    for folder in $folders; do see "$folder" "$folder"; done
    exec chroot --userspec="$user" "$tree" env -i HOME=/src/.build-debian13/home LANG=C.UTF-8 TERM=dumb \
      PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -c "cd /src && exec \"\$@\"" in_tree "$@"
  ' in_tree "$PWD/$tree" "$PWD" "$(id -u):$(id -g)" "$(printf '%s\n' "${folders[@]}" | sort -u)" "$@"
}
