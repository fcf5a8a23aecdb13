"""What config.txt switches on at the pins of a Raspberry Pi's header: a DAC, and clock chips."""

import re
import subprocess

from Card.card import Card
from Card.sticks import BOOTED

MODELS = ("2711-rpi-4-b", "2711-rpi-400", "2711-rpi-cm4-io", "2837-rpi-3-a-plus", "2837-rpi-3-b", "2837-rpi-3-b-plus",
          "2837-rpi-cm3-io3", "2837-rpi-zero-2-w")
I2S_PINS = ("18 19 20 21", "4")  # and their function, which is the first alternative one
CLOCKS = {"ds3231": ("maxim,ds3231", 68), "pcf8523": ("nxp,pcf8523", 68), "pcf85063": ("nxp,pcf85063", 51)}


class HeaderTests:
    """Checks as those in test_card.py, which has what they use."""

    def test_overlays(self) -> None:
        """the overlays of a DAC and of clock chips fit the device tree of each model, and each node is as it must be"""
        card = Card(self.image, self.out / "overlays.img")
        for model in MODELS:
            tree = self._tree(card, model, "hifiberry-dac", *(f"rtc-{name}" for name in CLOCKS))
            bus, dma = tree("/__symbols__", "i2s"), tree("/__symbols__", "dma")
            assert tree(bus, "status") == "okay" and tree(bus, "#sound-dai-cells") == "0"
            assert tree(bus, "dmas").split() == [tree(dma, "phandle"), "2", tree(dma, "phandle"), "3"], tree(bus, "dmas")
            pins = tree("/__symbols__", "pcm_gpio18")
            assert tree(bus, "pinctrl-0") == tree(pins, "phandle")
            assert (tree(pins, "brcm,pins"), tree(pins, "brcm,function")) == I2S_PINS
            ends = {end: f"/dac-card/simple-audio-card,{end}" for end in ("cpu", "codec")}
            assert tree(ends["cpu"], "sound-dai") == tree(bus, "phandle")
            assert tree(ends["codec"], "sound-dai") == tree("/dac", "phandle") and tree("/dac", "compatible") == "ti,pcm5102a"
            for key in ("bitclock", "frame"):
                assert tree("/dac-card", f"simple-audio-card,{key}-master") == tree(ends["cpu"], "phandle")
            bus = tree("/__symbols__", "i2c1")
            assert tree(bus, "status") == "okay"
            for name, (driver, address) in CLOCKS.items():
                # Two have the same address: only one of them is ever named.
                alone = self._tree(card, model, f"rtc-{name}")
                assert alone(f"{bus}/rtc@{address}", "compatible") == driver
                assert int(alone(f"{bus}/rtc@{address}", "reg")) == int(str(address), 16)
        self.figure(f"{len(MODELS)} models")

    def test_header(self) -> None:
        """a DAC and a clock chip in config.txt, on a Raspberry Pi 3: the card is there, and the time is known at power on"""
        card = Card(self.image, self.out / "header.img")
        for overlay in ("hifiberry-dac", "rtc-ds3231"):
            card.change("config.txt", f"#dtoverlay={overlay}\n", f"dtoverlay={overlay}\n")
        with self.board(card, "raspi3b", date="2031-07-01T03:00:00", chip="ds1338") as board:
            board.wait(BOOTED, 1800)
            board.wait_report(1800)
        report = card.read("report.txt")
        assert re.search(r"cards: .*sndrpihifiberry", report), f"the DAC is no card:\n{report}"
        assert re.search(r"Written 2031-07-01 03:.*UTC", report), report
        assert re.search(r"The clock chip rtc-ds\w+ shows 2031-07-01 03:", report), report

    def _tree(self, card: Card, model: str, *overlays: str):
        """What of the model's device tree has which value, with these overlays."""
        folder = self.out / "overlays"
        folder.mkdir(exist_ok=True)
        place = folder / model
        place.write_bytes(card.take(f"bcm{model}.dtb"))
        for name in overlays:
            (folder / name).write_bytes(card.take(f"overlays/{name}.dtbo"))
        self._tool("fdtoverlay", "-i", place, "-o", place, *(folder / name for name in overlays))
        made = place.read_bytes()

        def value(node: str, key: str) -> str:
            place.write_bytes(made)
            return self._tool("fdtget", place, node, key)

        return value

    def _tool(self, program: str, *words) -> str:
        done = subprocess.run([*self.emulated.tool(program), *map(str, words)], capture_output=True, text=True)
        assert not done.returncode, f"{program} {words}: {done.stderr}"
        return done.stdout.strip()
