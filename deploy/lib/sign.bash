# Sourced by the commands that sign what boards take, and what is handed out: one key for all that an owner signs.
#
# Boards have no clock and believe the day on which their system was made, so a key and a signature must not be younger than
# that: both are dated back to a fixed day. What is newest is said by versions, not by dates.

keys=${JACKDAW_KEYS:-$HOME/.config/jackdaw-keys}
keys=${keys%/}
# From the folder in which the command was started (steps.bash).
[[ $keys == /* ]] || keys=${start:-$PWD}/$keys
signing_day=20250101T000000!

signer() {
  gpg --homedir "$keys" --batch --quiet --no-tty --no-permission-warning --faked-system-time "$signing_day" "$@" 2> \
    >(grep -v 'faked system time' >&2)
}

need_gpg() {
  { command -v gpg && command -v gpg-agent; } >/dev/null || give_up 2 "There is no gpg: sudo apt install gpg gpg-agent"
}

# make_key NAME FILE: makes the key that signs, and writes its public part into a file. Both are made beside their places, so
# that nothing is left where that fails.
make_key() {
  local place=$keys keys=$keys.new
  need_gpg
  [[ ! -d $place ]] || give_up 2 "$place is there already: boards that know that key take nothing signed by another one"
  rm -rf "$keys"
  mkdir -p -m 700 "$keys"
  signer --passphrase '' --quick-generate-key "$1" ed25519 sign never && signer --export >"$2.new" && [[ -s $2.new ]] || {
    rm -rf "$keys" "$2.new"
    give_up 2 "gpg has made no key"
  }
  # gpg's helper would look for the key where it was.
  gpgconf --homedir "$keys" --kill all
  mv "$keys" "$place"
  mv "$2.new" "$2"
  say "The secret key is in $place: whoever has it decides what the boards play. Keep a copy in a safe place."
  say "The public key is $2: put it beside settings.toml on every card."
}

# Ends with status 2 where there is no key that signs.
have_key() {
  need_gpg
  [[ -d $keys && -n $(signer --list-secret-keys) ]] ||
    give_up 2 "There is no key in $keys: make one with deploy/$([[ $0 == */repository ]] && echo repository || echo exhibition) --make-key NAME"
}

# sign FILE: writes FILE.gpg.
sign() {
  have_key
  signer --yes --detach-sign --output "$1.gpg" "$1"
}
