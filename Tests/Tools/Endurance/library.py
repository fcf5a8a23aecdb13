"""A library of very many tracks, and commands as fast as they go."""

import os
import pathlib
import shutil
import signal
import socket
import time

from growth import resident
from kiosk import TOP, Firmware, make_board

FOLDERS = 500
DEPTH = 50
SCRIPTS = ["Größe", "Ölçü", "Ἰλιάς", "Воробей", "מוזיקה", "موسيقى", "संगीत", "音楽", "음악", "ดนตรี", "🎷 🎺", "e\u0301te\u0301"]
BROKEN = [b"caf\xe9", b"\xff\xfe", b"\xf0\x9f\x8e", b"\xed\xa0\x80", b"\xc3(", b"tab\there", b"esc\x1b[31m"]
FLOOD = 3.0  # seconds


def make(options) -> pathlib.Path:
    """Hard links to one short track, as copies would only take space."""
    music = options.out / "music"
    shutil.rmtree(music, ignore_errors=True)
    music.mkdir(parents=True)
    track = music / "track"
    shutil.copy(next((TOP / "board/sim/cues").glob("*.mp3")), track)
    links = 0
    for number in range(options.tracks):
        folder = os.fsencode(music) + f"/{number % FOLDERS:03}".encode()
        if number < FOLDERS:
            os.mkdir(folder)
        word = SCRIPTS[number % len(SCRIPTS)].encode() if number % 50 else BROKEN[number // 50 % len(BROKEN)]
        # A file system allows only so many links to one file.
        if links == 60_000:
            fresh = music / "fresh"
            shutil.copy(track, fresh)
            fresh.replace(track)
            links = 0
        os.link(track, folder + b"/%06d " % number + word + b".mp3")
        links += 1
    deep = music / "/".join(["deep"] * DEPTH)
    deep.mkdir(parents=True)
    os.link(track, deep / "bottom.mp3")
    (deep / "up").symlink_to(music)
    (music / "round").symlink_to(".")
    (music / "out").symlink_to("/etc")
    track.unlink()
    return music


def run(options) -> int:
    music = make(options)
    home = options.out / "library"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    for shuffle in ("false", "true"):
        settings = home / "settings.toml"
        settings.write_text(f'shuffle = {shuffle}\nrepeat = "queue"\nstate = "{home}/state"\n')
        firmware = Firmware(options.program, home, "--board", str(make_board(home)), "--settings", str(settings), "--music",
                    str(music))
        boot = firmware.wait("boot")
        started = time.monotonic() - firmware.begin
        assert boot.fields["tracks"] == str(options.tracks + 1), boot.text
        firmware.ask("play")
        firmware.wait("track.started")
        memory = resident(firmware.process.pid)
        print(f"{options.tracks} tracks, shuffle {shuffle}: boot after {started:.2f} s, {memory // 1024} MiB", flush=True)
        skip(firmware)
        flood(firmware, home)
        assert not firmware.seen("track.failed"), firmware.seen("track.failed")[0].text
        assert not firmware.seen("output.underrun"), firmware.seen("output.underrun")[0].text
        assert firmware.end(signal.SIGTERM) == 0, firmware.errors
    again = Firmware(options.program, home, "--board", str(make_board(home)), "--settings", str(home / "settings.toml"),
                 "--music", str(music))
    print(f"again with its state: boot after {again.wait('boot').at:.2f} s by its clock, "
          f"{again.wait('state.restored').text}")
    assert "track" in again.wait("state.restored").fields
    assert again.end(signal.SIGTERM) == 0
    shutil.rmtree(music)
    return 0


def skip(firmware: Firmware) -> None:
    times = 500
    begin = time.monotonic()
    for _ in range(times):
        firmware.ask("next")
    print(f"  {times} times next: {(time.monotonic() - begin) / times * 1000:.1f} ms each")


def flood(firmware: Firmware, home: pathlib.Path) -> None:
    """Eight clients that send as fast as they can; some read the replies, some do not."""
    before, begin = cpu(firmware), time.monotonic()
    clients = []
    for _ in range(7):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(home / "jackdaw/control"))
        client.setblocking(False)
        clients.append(client)
    sent = 0
    while time.monotonic() - begin < FLOOD:
        for client in clients:
            try:
                sent += client.send(b"volume 30\n" * 100)
            except BlockingIOError:
                time.sleep(0.001)
            except OSError:
                pass
    for client in clients:
        client.close()
    took = time.monotonic() - begin
    assert firmware.ask("status")[-1] == "ok"
    print(f"  flooded with {sent / 10 / took:.0f} lines a second: {(cpu(firmware) - before) / took * 100:.1f} % of a core")


def cpu(firmware: Firmware) -> float:
    """Seconds."""
    words = pathlib.Path(f"/proc/{firmware.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
