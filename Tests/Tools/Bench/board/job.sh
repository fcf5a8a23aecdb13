# What all jobs share. The job itself follows.
export ALSA_CONFIG_PATH=/tmp/asound.conf

# cards KEYS…: the card `main`, with further keys of Tests/Plugins/PacedPCM.
cards() {
  cat >/tmp/asound.conf <<-END
	pcm_type.paced { lib "/usr/bin/libasound_module_pcm_paced.so" }
	pcm.main { type paced log "/tmp/paced.log" $* }
	END
  : >/tmp/paced.log
}

wait_until() { # COMMAND…
  tries=0
  until "$@"; do
    sleep 0.1
    tries=$((tries + 1))
    if [ $tries -gt 600 ]; then
      echo "not within a minute: $*"
      cat /tmp/*log /tmp/mpd/log
      exit 1
    fi
  done
}

wait_for() { wait_until grep -qs -- "$1" "$2"; } # TEXT FILE

jackdaw_settings() { # VOLUME
  rm -rf /tmp/state
  mkdir /tmp/state
  printf 'start_volume = %s\nidle_reset = 0\nstate = "/tmp/state"\n' "$1" >/tmp/settings.toml
}

mpd_settings() {
  rm -rf /tmp/mpd
  mkdir /tmp/mpd
  cat >/tmp/mpd/conf <<-END
	music_directory "/tmp/music"
	db_file "/tmp/mpd/db"
	log_file "/tmp/mpd/log"
	bind_to_address "/tmp/mpd/socket"
	decoder {
	plugin "mad"
	enabled "no"
	}
	audio_output {
	type "alsa"
	name "main"
	device "main"
	mixer_type "none"
	}
	END
  export MPD_HOST=/tmp/mpd/socket
}

only_track() { # FILE
  rm -rf /tmp/music
  mkdir /tmp/music
  cp "$1" /tmp/music/
}
