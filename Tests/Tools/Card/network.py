"""What network.txt and the board file switch on: a cable, Wi-Fi and Bluetooth."""

from Card.card import Card
from Card.machine import WRITTEN, unit

# The second one of two simulated radios is the access point, so the card leaves it alone.
ACCESS_POINT = """[Unit]
After=jackdaw-report.service
[Service]
ExecStartPre=ln -s /dev/null /run/systemd/system/jackdaw-wireless@wlan1.service
ExecStartPre=systemctl daemon-reload
ExecStartPre=modprobe mac80211_hwsim radios=2
ExecStart=wpa_supplicant -D nl80211 -i wlan1 -c /boot/firmware/jackdaw/access-point
"""
SPOKEN = """[Unit]
After=jackdaw-report.service
[Service]
Type=oneshot
ExecStart=sh -c 'sleep 10; echo "awake: $$(systemctl --no-legend list-units --state=active %s | grep -o "[a-z0-9-]*\\\\.service" | paste -sd ,)." >/dev/console'
"""
SLEEPERS = ("jackdaw-screen", "systemd-networkd", "systemd-resolved", "systemd-timesyncd", "mosquitto", "jackdaw-fleet", "dbus",
            "bluetooth", "bluealsa", "jackdaw-wireless@*", "wpa_supplicant")


class NetworkTests:
    """Checks as those in test_card.py, which has what they use."""

    def test_network(self) -> None:
        """mistakes of network.txt with their lines; Wi-Fi on a board that has none; a cable without DHCP"""
        card = self.card("network")
        card.write("network.txt", "\ufeff# Ours\r\nname = Foyer\r\npasswort = 12345678\r\naddress = 10.0.2.300/24\r\n")
        report = self.report(
            card, r"REFUSED: network\.txt:3: expected name, password", r"network\.txt:4: address: expected one such as",
            "network.txt: name and country go together", r"content\.refused reason=.*network\.txt:3")
        assert "The network is off.\n" in report and "network.txt:4: address" in report, report
        self.check_ports(card, "nothing")
        card.write("network.txt", "name = Foyer\npassword = 12345678\ncountry = DE\n")
        report = self.report(card)
        assert "network.txt describes Wi-Fi, and this board has none" in report and "REFUSED" not in report, report
        card.write("network.txt", "address = 10.0.2.77/24\ngateway = 10.0.2.2\ndns = 10.0.2.3\n")
        report = self.report(card, WRITTEN, WRITTEN, is_paced=False)
        for text in (": connected.\n", "Addresses of this board: 10.0.2.77", "Name servers: 10.0.2.3\n"):
            assert text in report, report
        self.check_ports(card, "nothing")

    def test_wireless(self) -> None:
        """Wi-Fi between two simulated radios: connected with the right password, and a wrong one is told apart"""
        card = self.card("wireless")
        name, password = 'Café "Süd"', 'say "12" times'
        card.write("access-point", "country=DE\nnetwork={\nssid=" + name.encode().hex() + "\nmode=2\nfrequency=2437\n"
                   f'key_mgmt=WPA-PSK\nproto=RSN\npairwise=CCMP\npsk="{password}"\n}}\n')
        card.write("network.txt", f"name = {name}\npassword = {password}\ncountry = DE\naddress = 192.168.77.2/24\n")
        words = unit("air", ACCESS_POINT)
        report = self.report(card, WRITTEN, WRITTEN, words=words, is_paced=False)
        for text in ("Wi-Fi network wlan0: connected.\n", "192.168.77.2"):
            assert text in report, report
        assert password not in report + card.read("log.txt"), "the password is in report or log"
        card.write("network.txt", f"name = {name}\npassword = 12345678\ncountry = DE\n")
        report = self.report(card, WRITTEN, WRITTEN, words=words, is_paced=False)
        for text in ("Wi-Fi network wlan0: not connected.\n", f'The Wi-Fi "{name}" has refused the password'):
            assert text in report, report

    def test_bluetooth(self) -> None:
        """what sleeps without a file that needs it; Bluetooth with a board file that has such a port"""
        card: Card = self.card("bluetooth")
        words = unit("spoken", SPOKEN % " ".join(f"{name}.service" for name in SLEEPERS))
        self.report(card, r"awake: jackdaw-screen\.service\.\n", words=words)
        card.write("board.toml", card.read("board.toml")
                   + '\n[ports.bluetooth]\nsense = "bluetooth"\npriority = 40\nprivate = true\npcm = "bluealsa"\n')
        # As with an adapter of the board's own.
        words += " modules_load=bluetooth"
        report = self.report(
            card, r"awake: bluealsa\.service,bluetooth\.service,dbus\.service,jackdaw-screen\.service\.\n", words=words)
        assert "Bluetooth: BlueZ is " in report and "REFUSED" not in report, report
        self.check_ports(card, "nothing")
