# Copies what /proc says of each player while it plays, 10 s later, and while it is paused.
cp /job/[0-9]* /tmp/

tree_of() { # PROCESS
  echo "$1"
  for child in $(cat /proc/"$1"/task/*/children); do tree_of "$child"; done
}

# snapshot NAME PROCESS: into memory, because time jumps while the board waits for the host's folder.
snapshot() {
  for process in $(tree_of "$2"); do
    mkdir -p /tmp/copies/"$1"/"$process"
    cat /proc/"$process"/smaps >/tmp/copies/"$1"/"$process"/smaps
    for task in /proc/"$process"/task/*; do
      mkdir -p /tmp/copies/"$1"/"$process"/task/"${task##*/}"
      for file in status children; do cat "$task"/$file >/tmp/copies/"$1"/"$process"/task/"${task##*/}"/$file; done
    done
  done
  echo "$1 $2"
}

playing() { # NAME PROCESS
  wait_for " start " /tmp/paced.log  # the first start of a program reads it from the disk
  sleep 3
  snapshot "$1-playing" "$2"
  sleep 10
  snapshot "$1-played" "$2"
  : >/tmp/paced.log
}

paused() { # NAME PROCESS
  sleep 3
  snapshot "$1-paused" "$2"
  sleep 10
  snapshot "$1-waited" "$2"
}

cards
only_track /tmp/20.mp3

mpg123.bin -q -o alsa -a main /tmp/20.mp3 </dev/null >/tmp/peer.log 2>&1 &
playing mpg123 $!
wait $!

jackdaw_settings 100
: >/tmp/log
jackdaw run --board /etc/jackdaw/counted.toml --settings /tmp/settings.toml --music /tmp/music </dev/null >/tmp/log 2>&1 &
wait_for " route.initial " /tmp/log
jackdaw ctl play >/dev/null
playing Jackdaw $!
jackdaw ctl pause >/dev/null
paused Jackdaw $!
kill $!
wait $!

mpd_settings
mpd --no-daemon /tmp/mpd/conf </dev/null >/tmp/peer.log 2>&1 &
wait_until [ -S /tmp/mpd/socket ]
mpc -q update --wait
mpc -q add /
mpc -q repeat on  # at the end it would wait as in playing.sh
mpc -q play
playing mpd $!
mpc -q pause
paused mpd $!
kill $!
wait $!
cp -r /tmp/copies/* /job
