"""What is changed in the device tree that QEMU makes for its machine."""

GPIO = "/pl061@9030000"
IDLE_STATES = "/cpus/idle-states"
# Hexadecimal, as all numbers here; none of QEMU's own. Only the power key that is taken away knows the chip by another.
PHANDLE, GPIO_PHANDLE = "9000", "9001"


def changes(names: list[str], lights: dict[str, int]) -> list[tuple[list[str], str, list[str]]]:
    """Options of fdtput(1), then the node, then the property and its values.

    - names: of the GPIO lines.
    - lights: the line of each light of the kernel's.
    """
    # A state for the processor to sleep in. Without one the kernel's clock would run on while the system sleeps, and with
    # this one, which takes too long to leave, nothing else changes.
    sleep = f"{IDLE_STATES}/sleep"
    times = {"entry-latency-us": "1", "exit-latency-us": "989680", "min-residency-us": "989680"}
    return [
        # No line is a power key.
        (["-r"], "/gpio-keys", []),
        (["-t", "s"], GPIO, ["gpio-line-names", *names]),
        *_lights(lights),
        (["-p", "-t", "s"], IDLE_STATES, ["entry-method", "psci"]),
        (["-p", "-t", "s"], sleep, ["compatible", "arm,idle-state"]),
        *((["-t", "x"], sleep, [key, value]) for key, value in times.items()),
        (["-t", "x"], sleep, ["arm,psci-suspend-param", "1"]),
        (["-t", "x"], sleep, ["phandle", PHANDLE]),
        (["-t", "s"], "/cpus/cpu@0", ["enable-method", "psci"]),
        (["-t", "x"], "/cpus/cpu@0", ["cpu-idle-states", PHANDLE]),
    ]


def _lights(lights: dict[str, int]) -> list[tuple[list[str], str, list[str]]]:
    if not lights:
        return []
    steps = [(["-t", "x"], GPIO, ["phandle", GPIO_PHANDLE]), (["-p", "-t", "s"], "/leds", ["compatible", "gpio-leds"])]
    for name, pin in lights.items():
        steps.append((["-p", "-t", "s"], f"/leds/{name}", ["label", name]))
        steps.append((["-t", "x"], f"/leds/{name}", ["gpios", GPIO_PHANDLE, f"{pin:x}", "0"]))
    return steps
