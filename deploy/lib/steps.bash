# Sourced by the commands in deploy and in Tests/commands: steps that print what they do and how long it takes, and the
# Debian packages that a build needs. Changes to the top folder of the repository.

command=$(realpath -- "$0")
start=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# All that is made can be read by all, whoever makes it: folders of a card that only root may enter keep the board from
# starting.
umask 022

# Debian has mke2fs, debugfs and mosquitto where only root looks for programs.
PATH=$PATH:/usr/sbin:/sbin

# The whole output of every step; the terminal shows only progress and errors.
logs=.build/logs
mkdir -p "$logs"

# What the build needs. g++ depends on the linker and on the headers of the C and C++ libraries, whose own package names
# contain a number that differs between releases of Debian.
packages=(
  g++ pkg-config git ca-certificates
  libasound2-dev libflac-dev libgpiod-dev libmpg123-dev libopusfile-dev libpcsclite-dev libsndfile1-dev
  libsoxr-dev libmosquitto-dev libsqlite3-dev libsystemd-dev libtomlplusplus-dev libvorbis-dev
)

# What the tests need as well: a message bus of their own, the device-tree compiler for the overlay in board, Python for
# Tests/Tools, and a broker with certificates for the fleet.
testing=(dbus-daemon device-tree-compiler python3 python3-pytest mosquitto mosquitto-clients openssl)

# Where the modules of Tests/Tools find each other.
export PYTHONPATH=$PWD/Tests/Tools

# What Tests/run bench needs for the figures that need no clock, and what the comparison with other players needs as well.
# lame encodes the music; commands reach mpv through socat.
counting=(mpg123 lame valgrind python3)
peers=(mpd mpc mpv socat)
# What encodes the music of Tests/run bench --board.
encoding=(mpg123 lame flac vorbis-tools opus-tools)

say() { printf '%s\n' "$*"; }

# in_start -e|-m PATH: a path as it was given, from the folder in which the command was started, made absolute. -e: something
# must be there. Call it by itself, not with && after it, so that its failure ends the command.
in_start() { (cd "$start" && realpath "$1" -- "$2" || exit 2); }

# Prints the comment at the top of a command, from its synopsis on.
usage() { sed -n '/^#   \(deploy\|Tests\)\//,/^set/{/^#/{s/^# \{0,1\}//;p}}' "$command"; }

# give_up STATUS REASON…: prints the reason on standard error and exits: with 1, or with 2 where the machine or the
# arguments are the reason.
give_up() {
  local status=$1
  shift
  printf '%s\n' "$@" >&2
  exit "$status"
}

# One entry a step so far: NAME, SECONDS and ok, FAILED or skipped, separated by spaces.
steps=()

# Ends what a step has printed. The step is over then, even if a process that it left behind still holds its output.
step_mark=$'\x1e'

# After this many seconds a step is ended with all that it has started; empty: never.
step_limit=

# step NAME TITLE TIME COMMAND…: runs a command, shows its progress and its errors, and keeps its whole output in a log.
# Returns the command's status. A command that is a function of ours must chain with &&, as `set -e` is off in it.
step() {
  local name=$1 title=$2 time=$3 log=$logs/$1.log begin=$SECONDS status=0
  shift 3
  printf '\n==> %s (%s)\n' "$title" "$time"
  {
    printf '%s\n' "$BASHPID"
    "$@" || status=$?
    printf '%s%s\n' "$step_mark" "$status"
  } </dev/null 2>&1 | show_progress "$log" || status=$?
  if ((status == 0)); then
    steps+=("$name $((SECONDS - begin)) ok")
    say "    done in $((SECONDS - begin)) s"
  else
    steps+=("$name $((SECONDS - begin)) FAILED")
    say "    FAILED after $((SECONDS - begin)) s, status $status. The end of $log:"
    tail -n 40 "$log" | sed 's/^/    | /'
  fi
  return "$status"
}

# show_progress LOG: keeps what a step prints, passes errors on, and prints every 15 seconds how far it is, so that a slow
# machine does not look stuck. Returns the step's status.
show_progress() {
  local line partial='' where='' process begin=$SECONDS shown=$SECONDS status log
  exec {log}>"$1"
  IFS= read -r process
  while true; do
    status=0
    IFS= read -r -t 5 line || status=$?
    if ((status > 128)); then
      # Nothing for 5 seconds; what was read of a line is put in front of its rest.
      partial+=$line
    elif ((status != 0)); then
      # Ended from outside.
      return 1
    else
      line=$partial$line
      partial=''
      if [[ $line == *"$step_mark"* ]]; then
        printf '%s' "${line%%"$step_mark"*}" >&"$log"
        return "${line##*"$step_mark"}"
      fi
      printf '%s\n' "$line" >&"$log"
      case $line in
        *error:* | *'FAILED'* | *'WARNING: ThreadSanitizer'*) say "    $line" ;;
        '['*/*']'*) where=${line%%]*}] ;;
        PASS*) where=${line:0:90} ;;
      esac
    fi
    if ((SECONDS - shown >= 15)); then
      say "    $((SECONDS - begin)) s ${where:+$where}"
      shown=$SECONDS
    fi
    if [[ -n $step_limit ]] && ((SECONDS - begin > step_limit)); then
      printf 'ended after %s s\n' "$step_limit" >&"$log"
      end_family "$process"
      return 124
    fi
  done
}

# end_family PROCESS: kills a process and its descendants.
end_family() {
  local child
  # sudo's own processes are root's.
  as_root kill -STOP "$1" 2>/dev/null || return 0
  for child in $(grep -l "^PPid:[[:space:]]$1\$" /proc/[0-9]*/status 2>/dev/null); do end_family "${child//[^0-9]/}"; done
  as_root kill -KILL "$1" 2>/dev/null || true
}

# skip NAME TITLE REASON
skip() {
  steps+=("$1 0 skipped")
  printf '\n==> %s: skipped, %s\n' "$2" "$3"
}

# A table of the steps so far.
print_times() {
  local entry
  printf '\n==> Seconds of each step\n'
  for entry in "${steps[@]}"; do printf '    %-14s %6d  %s\n' $entry; done
  printf '    %-14s %6d\n' "in all" "$SECONDS"
}

# run_checks FOLDER OPTION…: the checks in a folder of Tests/Tools, with Debian's own Python, which knows Debian's pytest.
run_checks() {
  local status=0
  /usr/bin/python3 -B -m pytest -c Tests/Tools/pytest.ini --rootdir Tests/Tools "Tests/Tools/$1" "${@:2}" || status=$?
  # 4: an option is wrong; 5: there are no checks.
  ((status < 4)) || status=2
  return "$status"
}

# ---- Building ------------------------------------------------------------------------------------------------------

# build_release NAME [PROGRAM]: a step that builds jackdaw, or another program, as it is released. If the toolchain has
# a static standard library, that is linked in, so that the program runs without Swift. It has to be so for all
# programs, also those that never leave this machine: without it, all that they have in common would be compiled again.
build_release() {
  local program=${2-jackdaw}
  local options=(-c release --product "$program")
  if has_static_library; then options+=(--static-swift-stdlib); fi
  step "$1" "Build $program" "3 minutes from scratch" swift build "${options[@]}"
}

release_folder() { swift build -c release --show-bin-path </dev/null; }

has_static_library() {
  local swift
  swift=$(readlink -f "$(command -v swift)")
  [[ -d ${swift%/bin/*}/lib/swift_static/linux ]]
}

# build_paced_pcm FILE: the ALSA plug-in of the tests, for any program.
build_paced_pcm() {
  local sources=Tests/Plugins/PacedPCM
  gcc -shared -fPIC -DPIC -O2 -Wall -Wextra -Werror -I"$sources/include" "$sources"/*.c -o "$1" -lasound
}

# Whether libFuzzer works here. A program is run, not only built: on some kernels a sanitized program crashes at its
# start.
can_fuzz() {
  mkdir -p .build/probe
  cat >.build/probe/fuzzed.swift <<-END
	@_cdecl("LLVMFuzzerTestOneInput") public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt { 0 }
	END
  { swiftc -sanitize=fuzzer,address -parse-as-library .build/probe/fuzzed.swift -o .build/probe/fuzzed &&
    .build/probe/fuzzed -runs=1; } >/dev/null 2>&1 </dev/null
}

# ---- Packages ------------------------------------------------------------------------------------------------------

install_missing_packages() {
  command -v dpkg-query >/dev/null || {
    say "This is not Debian: it is assumed that the counterparts of these packages are installed: ${packages[*]}"
    command -v swift >/dev/null || give_up 2 "There is no swift on the PATH: install Swift 6.0 or later first."
    return 0
  }
  add_swift
  install_missing "${packages[@]}"
  swift --version >"$logs/swift-version.log" 2>&1 </dev/null || {
    cat "$logs/swift-version.log" >&2
    give_up 2 "The Swift toolchain at $(command -v swift) does not run on this machine."
  }
  say "Compiler: $(sed -n '/Swift version/{s/.*\(Swift version [^ ]*\).*/\1/p;q}' "$logs/swift-version.log")"
}

# install_missing PACKAGE…
install_missing() {
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    say "Packages: all installed."
  else
    say "Missing packages: ${missing[*]}"
    can_be_root || give_up 2 "They cannot be installed without a password. As root: apt-get install ${missing[*]}"
    step packages "Install them with apt-get" "1 minute, 5 with swiftlang" install_packages "${missing[@]}" || exit 1
  fi
}

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

can_be_root() { ((EUID == 0)) || sudo -n true 2>/dev/null; }

as_root() { if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi; }

install_packages() {
  # A source that cannot be reached is no reason to stop: the packages may come from another one.
  as_root apt-get update || say "apt-get update failed; the package lists that are here are used"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@"
}

# Adds Swift itself where it is missing: Debian has it from version 13 on. A toolchain from elsewhere installs no
# dependencies, so the libraries that its programs need and do not find are added.
add_swift() {
  local library
  if ! command -v swift >/dev/null; then
    local version
    version=$(. /etc/os-release && echo "${VERSION_ID:-0}")
    ((${version%%.*} >= 13)) && [[ $(. /etc/os-release && echo "$ID") == debian ]] || give_up 2 \
      "There is no swift on the PATH, and this system has no package of it (Debian has one from version 13 on)." \
      "Install Swift 6.0 or later from https://www.swift.org/install/linux/ and put its usr/bin on the PATH."
    packages+=(swiftlang)
    return 0
  fi
  for library in $(libraries_missing_to_swift); do
    case $library in
      libcurl.so.4) packages+=(libcurl4) ;;
      libedit.so.2) packages+=(libedit2) ;;
      libncurses.so.6) packages+=(libncurses6) ;;
      libsqlite3.so.0) packages+=(libsqlite3-0) ;;
      libxml2.so.2) packages+=(libxml2) ;;
      *) say "The Swift toolchain needs $library, which is not installed; which package has it is not known here." ;;
    esac
  done
}

libraries_missing_to_swift() {
  local folder program
  folder=$(dirname "$(readlink -f "$(command -v swift)")")
  for program in swift-frontend swift-driver swift-package swift-format clang lld; do
    [[ ! -x $folder/$program ]] || ldd "$folder/$program" 2>/dev/null
  done | awk '/not found/ { print $1 }' | sort -u
}
