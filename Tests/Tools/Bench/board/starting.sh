# Starts from cold, on a card of this many bytes and reads a second by this board's clock, until a pair of headphones is
# pulled out. TITLE and what `stamped` prints of a start, and then the line of the paced PCM with the first sample.
# QEMU's own limits go by the host's clock, so the card is slow by a control group.
card=/sys/fs/cgroup/card

mount -t cgroup2 none /sys/fs/cgroup
echo "+io +memory" >/sys/fs/cgroup/cgroup.subtree_control
mkdir $card
for disk in vda vdb; do
  echo "$(cat /sys/block/$disk/dev) rbps=$BYTES riops=$READS" >$card/io.max
done
# What runs beside the program shall read nothing.
cp /usr/bin/stamped /tmp/

cold() {
  sync
  echo 3 >/proc/sys/vm/drop_caches
}

seconds() { # COMMAND…: of CLOCK_MONOTONIC, for a command in the group
  /tmp/stamped $card "$@" 2>&1 | sed -n '1s/ .*//p;$s/ .*//p' | tr '\n' ' '
}

start() { # TITLE
  echo "== $1"
  : >/tmp/paced.log
  : >/tmp/log
  /tmp/stamped $card jackdaw run --board /etc/jackdaw/started.toml --settings /tmp/settings.toml --music /music \
    <&3 >/tmp/log 2>&1 &
}

end() {
  kill $!
  wait $!
  cat /tmp/log
  grep -m 1 " start " /tmp/paced.log
}

echo "== card"
cold
seconds dd if=/dev/vda of=/dev/null bs=1M count=$((BYTES >> 20)) skip=300
seconds dd if=/dev/vda of=/dev/null bs=4k count="$READS" skip=150000 iflag=direct
echo

cards
jackdaw_settings 60
echo 'play_on_boot = true' >>/tmp/settings.toml
mkfifo /tmp/keys
exec 3<>/tmp/keys

# What was listed is kept once it has been read, and a start goes on with what was playing.
start first
wait_for " route.initial " /tmp/log
jackdaw ctl play >/dev/null
wait_until grep -q 'Title of a track' /tmp/state/jackdaw.sqlite
sleep 2
end >/tmp/first.log
cp -r /tmp/state /tmp/left

for turn in 1 2 3; do
  # Pulled out, it is paused.
  rm -rf /tmp/state
  cp -r /tmp/left /tmp/state
  cold
  start "$turn"
  wait_for " track.started " /tmp/log
  echo h >&3  # the headphones are plugged in
  wait_for " route.changed .*headphones" /tmp/log
  echo h >&3
  wait_for " playback.paused " /tmp/log
  end
done
