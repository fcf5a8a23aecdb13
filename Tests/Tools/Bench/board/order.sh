# Runs a kiosk under Valgrind, from a first start and from one that goes on, until everything was done to it once. Writes
# /job/first and /job/second: what Callgrind found out of every process.
kiosk() {
  LD_PRELOAD=/usr/bin/nojail.so VALGRIND_LIB=/usr/libexec/valgrind valgrind.bin --tool=callgrind --trace-children=yes \
    --demangle=no --compress-strings=no --compress-pos=no --dump-before=release_code --callgrind-out-file=/job/calls.%p \
    /usr/bin/jackdaw run --board /etc/jackdaw/started.toml --settings /tmp/settings.toml --music /tmp/music \
    <&3 >/tmp/log 2>&1 &
  kiosk=$!
}

decoder() { grep -ls decode-worker /proc/[0-9]*/cmdline | cut -d / -f 3; }

# What both processes called since they were asked for the last time is written apart.
apart() { # NAME
  for process in $kiosk $(decoder); do vgdb --pid=$process dump "$1" >/dev/null; done
}

press() { # KEY EVENT
  before=$(grep -c " $2 " /tmp/log)
  printf %s "$1" >&3
  wait_until more " $2 " "$before"
}

more() { [ "$(grep -c "$1" /tmp/log)" -gt "$2" ]; } # TEXT COUNT

end() { # FOLDER
  # The kiosk kills the other one.
  apart end
  kill $kiosk
  wait $kiosk
  cat /tmp/log
  mkdir "$1"
  mv /job/calls.* "$1/"
  echo $kiosk >"$1/kiosk"
}

cards
jackdaw_settings 60
echo 'play_on_boot = true' >>/tmp/settings.toml
mkfifo /tmp/keys
exec 3<>/tmp/keys
mkdir /tmp/music
cp /job/piece.mp3 /tmp/music/1.mp3
cp /job/piece.mp3 /tmp/music/2.mp3

kiosk
wait_for " route.initial " /tmp/log
apart starting
press p track.started
press n track.started
press - volume.changed
apart playing
press + volume.changed
press h route.changed
press h playback.paused
press h playback.resumed
press g interruption.began
press g interruption.ended
press p playback.paused
press p playback.resumed
press s playback.stopped
press h route.changed
press p playback.started
wait_until [ -s /tmp/state/music.list ]
end /job/first

kiosk
wait_for " track.started " /tmp/log
apart starting
press h route.changed
press h playback.paused
end /job/second
