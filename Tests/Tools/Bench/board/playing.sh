# Counts the instructions of playing, in runs of a short and of a long piece, and of runs that play nothing.
# Printed: `NAME/SECONDS: user N kernel N whole 1 underruns N`.
cp /job/[0-9]* /tmp/  # to wait for the host's folder makes time jump

report() { echo "$1: $(cat /job/count) underruns $(grep -c underrun /tmp/paced.log)"; }

peer() { # NAME COMMAND…
  name=$1
  shift
  : >/tmp/paced.log
  counted /job/count "$@" </dev/null >/tmp/peer.log 2>&1 || { cat /tmp/peer.log; exit 1; }
  report "$name"
}

jackdaw_plays() { # NAME BOARD VOLUME FILE SECONDS yes|no
  only_track "$4"
  jackdaw_settings "$3"
  : >/tmp/paced.log
  : >/tmp/log
  counted /job/count jackdaw run --board /etc/jackdaw/"$2" --settings /tmp/settings.toml --music /tmp/music \
    </dev/null >/tmp/log 2>&1 &
  wait_for " route.initial " /tmp/log
  sleep 1
  if [ "$6" = yes ]; then jackdaw ctl play >/dev/null; fi
  sleep $(($5 + 2))
  if [ "$6" = yes ]; then wait_for " queue.ended" /tmp/log; fi
  kill $!
  wait $!
  report "$1"
}

# It is ended a second before the end, when all is decoded: at the end it would wait for a card that is no real one, in
# a loop and with the priority of its output thread.
mpd_plays() { # NAME FILE SECONDS yes|no
  only_track "$2"
  mpd_settings
  : >/tmp/paced.log
  counted /job/count mpd --no-daemon /tmp/mpd/conf </dev/null >/tmp/peer.log 2>&1 &
  wait_until [ -S /tmp/mpd/socket ]
  mpc -q update --wait
  mpc -q add /
  sleep 1
  if [ "$4" = yes ]; then mpc -q play; fi
  sleep $(($3 - 1))
  kill $!
  wait $!
  report "$1"
}

# both NAME BOARD VOLUME FILE SECONDS
jackdaw_both() {
  jackdaw_plays "idle-$1" "$2" "$3" "$4" "$5" no
  jackdaw_plays "$1" "$2" "$3" "$4" "$5" yes
}

mpd_both() { # NAME FILE SECONDS
  mpd_plays "idle-$1" "$2" "$3" no
  mpd_plays "$1" "$2" "$3" yes
}

round() { # SECONDS
  cards
  peer "mpg123/$1" mpg123.bin -q -o alsa -a main "/tmp/$1.mp3"
  peer "flac/$1" flac -s -d -f -o /dev/null "/tmp/$1.flac"
  for kind in mp3 flac ogg; do
    jackdaw_both "jackdaw-$kind/$1" counted.toml 100 "/tmp/$1.$kind" "$1"
    mpd_both "mpd-$kind/$1" "/tmp/$1.$kind" "$1"
  done
  jackdaw_both "jackdaw-mp3-60/$1" counted.toml 60 "/tmp/$1.mp3" "$1"
  jackdaw_both "jackdaw-flac-60/$1" counted.toml 60 "/tmp/$1.flac" "$1"
  cards rate 48000
  jackdaw_both "jackdaw-opus/$1" counted-48.toml 100 "/tmp/$1.opus" "$1"
  mpd_both "mpd-opus/$1" "/tmp/$1.opus" "$1"
  jackdaw_both "jackdaw-mp3-48/$1" counted-48.toml 100 "/tmp/$1.mp3" "$1"
  mpd_both "mpd-mp3-48/$1" "/tmp/$1.mp3" "$1"
}

# The first start of a program reads it from the disk.
round 10
round 10
round 20
