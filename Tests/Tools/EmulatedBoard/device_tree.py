"""What is changed in the device tree that QEMU makes for its machine."""

GPIO = "/pl061@9030000"
IDLE_STATES = "/cpus/idle-states"
PHANDLE = "9000"  # hexadecimal, as all numbers here; none of QEMU's own


def changes(names: list[str]) -> list[tuple[list[str], str, list[str]]]:
    """Options of fdtput(1), then the node, then the property and its values.

    - names: of the GPIO lines.
    """
    # A state for the processor to sleep in. Without one the kernel's clock would run on while the system sleeps, and with
    # this one, which takes too long to leave, nothing else changes.
    sleep = f"{IDLE_STATES}/sleep"
    times = {"entry-latency-us": "1", "exit-latency-us": "989680", "min-residency-us": "989680"}
    return [
        # No line is a power key.
        (["-r"], "/gpio-keys", []),
        (["-t", "s"], GPIO, ["gpio-line-names", *names]),
        (["-p", "-t", "s"], IDLE_STATES, ["entry-method", "psci"]),
        (["-p", "-t", "s"], sleep, ["compatible", "arm,idle-state"]),
        *((["-t", "x"], sleep, [key, value]) for key, value in times.items()),
        (["-t", "x"], sleep, ["arm,psci-suspend-param", "1"]),
        (["-t", "x"], sleep, ["phandle", PHANDLE]),
        (["-t", "s"], "/cpus/cpu@0", ["enable-method", "psci"]),
        (["-t", "x"], "/cpus/cpu@0", ["cpu-idle-states", PHANDLE]),
    ]
