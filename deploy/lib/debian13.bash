# Sourced, after steps.bash, by the commands that build for Debian 13 whatever Debian they run on: a Debian 13 tree for
# amd64 with Debian's own Swift to build in, and a Swift SDK for arm64. Both are in .build-debian13; they are made once,
# and again when their list of packages changes.

trees=.build-debian13
tree=$trees/tree
sdk=$trees/sdks/debian13-arm64.artifactbundle
sysroot=$sdk/sysroot

# What the program is built against, in the tree for amd64 and in the SDK for arm64.
libraries=(
  libc6-dev libstdc++-14-dev
  libasound2-dev libflac-dev libgpiod-dev libmosquitto-dev libmpg123-dev libopusfile-dev libpcsclite-dev libsndfile1-dev
  libsoxr-dev libsqlite3-dev libsystemd-dev libtomlplusplus-dev libvorbis-dev
)
# In the tree: Swift, what runs an arm64 program here, and what makes and checks Debian packages. The arm64 libraries are
# read when the dependencies of the arm64 package are determined.
tree_packages=(
  swiftlang pkg-config qemu-user "${libraries[@]}" debhelper lintian zsh fish binutils-aarch64-linux-gnu
  {libc6,libasound2t64,libflac14,libgpiod3,libmosquitto1,libmpg123-0t64,libopusfile0,libsndfile1,libsoxr0,libsqlite3-0,libvorbisfile3}:arm64
)
# In the SDK: Swift's own libraries, and base-files, which has the link /lib that the paths in libc.so go through.
sdk_packages=(base-files swiftlang libswiftlang "${libraries[@]}")

# What makes the trees, and what runs the checks of emulated boards: on this machine.
for_trees=(mmdebstrap debian-archive-keyring file binutils python3)
for_boards=(python3 python3-venv python3-pytest python3-pytest-xdist e2fsprogs)

# Makes what is missing. Ends with status 2 on a machine where it cannot be made.
prepare_trees() {
  local reason
  reason=$(why_no_trees)
  [[ -z $reason ]] || give_up 2 "No Debian 13 tree can be made here: $reason."
  install_missing "${for_trees[@]}"
  mkdir -p "$trees" "$sdk"
  is_made "$tree" "${tree_packages[*]}" || step tree "Make a Debian 13 tree with Swift" "2 minutes" make_tree || exit 1
  [[ -f $sdk/info.json ]] && is_made "$sysroot" "${sdk_packages[*]}" ||
    step sdk "Make a Swift SDK for arm64" "2 minutes" make_sdk || exit 1
}

# Prints the reason, or nothing where trees can be made.
why_no_trees() {
  if [[ $(uname -m) != x86_64 ]]; then
    echo "this machine is not amd64"
  elif ! command -v apt-get >/dev/null; then
    echo "this system has no apt"
  elif ! can_be_root; then
    echo "that takes root, and sudo asks for a password"
  elif ! as_root unshare --mount true 2>/dev/null; then
    echo "root may mount nothing here"
  fi
}

# is_made FOLDER PACKAGES: whether debian13 completed it with exactly these packages.
is_made() { [[ -d $1 && $(cat "$1.packages" 2>/dev/null) == "$2" ]]; }

make_tree() { debian13 "$tree" "${tree_packages[*]}" --variant=apt --architectures=amd64,arm64; }

# Only unpacked, because no program in it runs here. Without info.json, which comes last, it is not taken for a whole
# one.
make_sdk() {
  rm -f "$sdk/info.json" &&
    debian13 "$sysroot" "${sdk_packages[*]}" --variant=extract --architectures=arm64 && prune_sysroot && describe_sdk
}

# debian13 FOLDER PACKAGES OPTION…: makes a tree with these packages, and replaces the one that is there.
debian13() {
  local folder=$1 list=$2 settings=$1.apt.conf mirror
  shift 2
  # This machine's proxies, and whether it trusts its clock.
  apt-config dump | grep -E '^Acquire::(https?|Check-|Retries)' >"$settings" || true
  mirror=$(own_mirror)
  as_root rm -rf --one-file-system "$folder" "$folder.packages" &&
    as_root mmdebstrap --mode=root "$@" --aptopt="$settings" --aptopt='APT::Install-Recommends "false"' \
      --dpkgopt=force-unsafe-io --include="${list// /,}" trixie "$folder" ${mirror:+"$mirror"} &&
    echo "$list" >"$folder.packages"
}

# The mirror that this machine's own Debian comes from. If there is none, mmdebstrap uses its default.
own_mirror() {
  (. /etc/os-release && [[ $ID == debian ]] || exit 0
    apt-get indextargets --format '$(RELEASE) $(REPO_URI)' |
      awk -v own="${VERSION_CODENAME:-}" '$1 == own { print $2; exit }')
}

# Deletes programs, documentation and what is for other systems than the board: 0.5 of 3 GB are left.
prune_sysroot() {
  local swift=$sysroot/usr/libexec/swift
  as_root rm -rf "$swift"/{bin,libexec,share,local,include} "$swift"/lib/*.so* "$swift"/lib/swift/{host,pm,migrator} \
    "$swift"/lib/swift{,_static}/embedded "$sysroot"/usr/{bin,sbin,libexec/gcc,share/{doc,man,locale,lintian,info}} \
    "$sysroot"/usr/lib/{python3*,gcc/*/*/{cc1,lto1,collect2}} "$sysroot"/var/cache &&
    as_root find "$swift/lib/clang" -path '*/lib/linux/*' -type f ! -name '*builtins*' ! -name 'clang_rt.crt*' -delete &&
    as_root ln -sfn ../libexec/swift/lib/swift_static "$sysroot/usr/lib/swift_static" &&
    as_root find "$sysroot/usr/libexec" -xtype l -delete
}

# Writes the files that make a folder a Swift SDK. The linker must be lld, the only one in the tree that links for another
# machine.
describe_sdk() {
  cat >"$sdk/swift-sdk.json" <<-END &&
	{ "schemaVersion": "4.0", "targetTriples": { "aarch64-unknown-linux-gnu": {
	  "sdkRootPath": "sysroot", "swiftResourcesPath": "sysroot/usr/lib/swift",
	  "swiftStaticResourcesPath": "sysroot/usr/lib/swift_static", "toolsetPaths": ["toolset.json"] } } }
	END
    cat >"$sdk/toolset.json" <<-END &&
	{ "schemaVersion": "1.0", "swiftCompiler": { "extraCLIOptions": ["-use-ld=lld", "-no-toolchain-stdlib-rpath"] } }
	END
    # The compiler warns without it.
    echo '{ "DisplayName": "Debian 13 arm64", "CanonicalName": "linux", "Version": "6.0.3", "VersionMap": {} }' |
    as_root tee "$sysroot/SDKSettings.json" >/dev/null &&
    cat >"$sdk/info.json" <<-END
	{ "schemaVersion": "1.0", "artifacts": { "debian13-arm64": { "type": "swiftSDK", "version": "6.0.3", "variants":
	  [ { "path": ".", "supportedTriples": ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"] } ] } } }
	END
}

# mke2fs and the like of a known version, so that every machine makes the same bytes of a card.
tools=$trees/tools
tools_packages=(mtools dosfstools e2fsprogs fdisk xz-utils systemd device-tree-compiler dpkg-dev gpg gpg-agent apt-utils)

# prepare_tools: a step that makes that tree where it is missing.
prepare_tools() {
  is_made "$tools" "${tools_packages[*]}" || step tools "Make a Debian 13 tree with what makes file systems" "1 minute" \
    debian13 "$tools" "${tools_packages[*]}" --variant=apt --architectures=amd64 || exit 1
}

# ---- The emulated board ---------------------------------------------------------------------------------------------

emulator=$trees/emulator
emulator_packages=(qemu-system-arm device-tree-compiler)

# What runs on an emulated board: the kernel, the tools of its scripts, and what the product depends on.
board_packages=(
  linux-image-arm64 busybox-static libasound2-data
  libasound2t64 libflac14 libgpiod3 libmpg123-0t64 libopusfile0 libsndfile1 libsoxr0 libsqlite3-0 libvorbisfile3
)

# The board on which other players are measured, too, and where programs run under Valgrind.
players=$trees/players
players_packages=("${board_packages[@]}" mpg123 flac mpd mpc valgrind)

# What is outside a board with Bluetooth: BlueZ's virtual controllers, a decoder of what a headset hears, and the headset
# itself, a program on Google's Bumble, which is at PyPI only.
headset=$trees/headset
headset_packages=(bluez-test-tools sbc-tools)
bumble=(bumble==0.0.236 numpy)

# prepare_headset: steps that unpack and install it where it is missing. Fails where PyPI cannot be reached.
prepare_headset() {
  is_made "$headset" "${headset_packages[*]}" || step headset "Unpack virtual Bluetooth controllers" "30 seconds" \
    debian13 "$headset" "${headset_packages[*]}" --variant=extract --architectures=amd64 || return 1
  [[ -e $headset/venv/ready-${bumble[0]} ]] ||
    step headset-install "Install ${bumble[0]} from PyPI" "30 seconds" install_headset
}

# The tree is root's, and what is in this folder of it is whoever's who started this.
install_headset() {
  as_root install -d -o "$(id -u)" -g "$(id -g)" "$headset/venv" && python3 -m venv --clear "$headset/venv" &&
    "$headset/venv/bin/pip" install --no-cache-dir --quiet "${bumble[@]}" && touch "$headset/venv/ready-${bumble[0]}"
}

# prepare_emulator: a step that unpacks QEMU where it is missing.
prepare_emulator() {
  is_made "$emulator" "${emulator_packages[*]}" || step emulator "Unpack QEMU" "30 seconds" \
    debian13 "$emulator" "${emulator_packages[*]}" --variant=extract --architectures=amd64
}

# prepare_board TREE PACKAGE…: a step that unpacks a board's Debian with these packages where it is missing.
prepare_board() {
  local folder=$1
  shift
  is_made "$folder" "$*" || step board "Unpack the board's Debian" "1 minute" \
    debian13 "$folder" "$*" --variant=extract --architectures=arm64
}

# compile_for_board OPTION…: Debian's clang for arm64.
compile_for_board() {
  in_tree /usr/libexec/swift/bin/clang --target=aarch64-linux-gnu --sysroot="/src/$sysroot" -fuse-ld=lld \
    -Wall -Wextra -Werror "$@"
}

# build_paced_pcm_for_board FOLDER
build_paced_pcm_for_board() {
  local sources=Tests/Plugins/PacedPCM
  compile_for_board -O2 -shared -fPIC -DPIC -I"$sources/include" "$sources"/*.c -lasound \
    -o "$1/libasound_module_pcm_paced.so"
}

# ---- Building ------------------------------------------------------------------------------------------------------

# program_for amd64|arm64 [PROGRAM]: where build_for writes a program.
program_for() { echo ".build-$1/${2:-jackdaw}"; }

# build_for amd64|arm64: builds the programs as they are released: the standard library linked in, no symbols, libraries
# searched only where the system has them. With their symbols they are in .build-ARCHITECTURE/release.
build_for() {
  local architecture=$1 program
  for program in jackdaw jackdaw-fleet; do
    link_for "$architecture" "$program" || return 1
    if [[ $architecture-$program == arm64-jackdaw ]]; then order_functions || return 1; fi
    strip_for "$architecture" "$program" || return 1
  done
}

# link_for amd64|arm64 PROGRAM OPTION…
link_for() {
  local architecture=$1 program=$2 target=/src/$sysroot environment=() options=()
  if [[ $architecture == arm64 ]]; then
    environment=(
      PKG_CONFIG_SYSROOT_DIR="$target"
      PKG_CONFIG_PATH="$target/usr/lib/aarch64-linux-gnu/pkgconfig:$target/usr/share/pkgconfig"
    )
    options=(--swift-sdks-path "/src/${sdk%/*}" --swift-sdk debian13-arm64)
  fi
  in_tree env "${environment[@]}" swift build --product "$program" -c release --static-swift-stdlib \
    --disable-local-rpath -Xlinker --strip-debug --scratch-path ".build-$architecture" "${options[@]}" "${@:3}"
}

# Links the program for a board once more, with the functions that a kiosk calls side by side (deploy/link-order). Without,
# it takes 0.13 s longer to start from cold. No two runs call them in quite the same order, so a build that is to give the
# bytes of an earlier one is given the order of that one, a file, as JACKDAW_ORDER.
order_functions() {
  local order=.build-arm64/functions.order
  as_root rm -f "$order"
  if [[ -n ${JACKDAW_ORDER:-} ]]; then
    cp "$JACKDAW_ORDER" "$order"
  elif as_root deploy/lib/arm64 "$tree/usr/bin/qemu-aarch64" true 2>/dev/null; then
    find_order "$order"
  else
    say "warning: its functions are not put in order, as programs for arm64 cannot be run here: that takes Linux 6.7"
    return
  fi && link_for arm64 jackdaw -Xlinker "--symbol-ordering-file=/src/$order" -Xlinker --no-warn-symbol-ordering
}

find_order() {
  local there=.build-arm64/order
  mkdir -p "$there" && build_paced_pcm_for_board "$there" &&
    compile_for_board -O2 -shared -fPIC Tests/Plugins/NoJail/nojail.c -o "$there/nojail.so" &&
    as_root env QEMU_LD_PREFIX="$PWD/$tree" PYTHONPATH="$PWD/Tests/Tools/Bench/board" deploy/lib/arm64 "$tree/usr/bin/qemu-aarch64" \
      deploy/link-order/order-functions .build-arm64/release/jackdaw "$there" "$1"
}

# strip_for amd64|arm64 PROGRAM: what only the linked program shows goes into the one for arm64: which parts of its code a
# start reads. The hashes by which the compiler knows what it has compiled before differ from one build to the next, so
# they become zeros: nothing else reads them.
strip_for() {
  local program=.build-$1/release/$2 ranges=.build-$1/called-ranges hashes=.build-$1/no-hashes options=() tool=objcopy size
  if [[ $1 == arm64 ]]; then tool=aarch64-linux-gnu-objcopy; fi
  if [[ $1-$2 == arm64-jackdaw && -e .build-arm64/functions.order ]]; then
    deploy/link-order/called-ranges "$program" .build-arm64/functions.order "$ranges" || return 1
    options=(--update-section called_code_ranges="$ranges")
  fi
  size=$(in_tree "${tool%objcopy}size" -A -d "$program" | awk '$1 == ".swift_modhash" { print $2 }') || return 1
  if [[ -n $size ]]; then
    head -c "$size" /dev/zero >"$hashes" || return 1
    options+=(--update-section .swift_modhash="$hashes")
  fi
  in_tree "$tool" --strip-all "${options[@]}" "$program" "$(program_for "$1" "$2")"
}

# run_for amd64|arm64 ARGUMENT…: runs the program in the tree. A Cortex-A53 is the oldest processor that it must run on.
run_for() {
  local architecture=$1 emulator=()
  shift
  [[ $architecture == amd64 ]] || emulator=(qemu-aarch64 -cpu cortex-a53)
  in_tree "${emulator[@]}" "$(program_for "$architecture")" "$@"
}

version_of_package() { in_tree dpkg-parsechangelog -l deploy/debian/changelog -S Version; }

# deb ARCHITECTURE [PACKAGE]: where deploy/package writes a package.
deb() { echo ".build-package/${2:-jackdaw}_$(version_of_package)_$1.deb"; }

# make_package: has deploy/package make the packages for arm64, and sets `package` to that of the firmware.
make_package() {
  deploy/package arm64
  package=$PWD/$(deb arm64)
}

# ---- Inside --------------------------------------------------------------------------------------------------------

# in_tree COMMAND…: runs it in the tree, as the user who started this command.
in_tree() { inside "$tree" "$(id -u):$(id -g)" "$@"; }

# inside TREE USER COMMAND…: runs it in the repository, which is mounted at /src there. The mounts end with it.
inside() {
  local there=$1 user=$2
  shift 2
  mkdir -p "$trees/home"
  as_root unshare --mount --propagation private bash -c '
    set -euo pipefail
    tree=$1 repository=$2 user=$3; shift 3
    mkdir -p "$tree/src"
    mount --bind "$repository" "$tree/src"
    mount --rbind /dev "$tree/dev"
    mount -t proc proc "$tree/proc"
    cp /etc/resolv.conf "$tree/etc/resolv.conf"
    exec chroot --userspec="$user" "$tree" env -i HOME=/src/.build-debian13/home LANG=C.UTF-8 TERM=dumb \
      PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -c "cd /src && exec \"\$@\"" inside "$@"
  ' inside "$PWD/$there" "$PWD" "$user" "$@"
}
