"""What the package's systemd unit says about how its service runs, for a supervisor that is a shell script."""

import dataclasses
import pathlib
import re
import shlex


@dataclasses.dataclass
class Service:
    user: str
    groups: list[str]  # the user's own first
    settings: dict[str, str]  # variables of guest/supervisor

    def for_supervisor(self) -> str:
        return "".join(f"{name}={shlex.quote(value)}\n" for name, value in self.settings.items())


def read(files: pathlib.Path) -> Service:
    """The unit jackdaw.service and the user of it.

    - files: the package, unpacked.
    """
    unit = _section(_only(files, "jackdaw.service").read_text(), "Service")
    user = _last(unit, "User", "root")
    groups = [_last(unit, "Group", user), *_words(unit, "SupplementaryGroups"), *_memberships(files, user)]
    environment = _words(unit, "Environment")
    settings = {"user": user, "group": groups[0], "groups": ",".join(groups)}
    for kind, top in (("State", "/var/lib"), ("Runtime", "/run"), ("Configuration", "/etc")):
        folders = [f"{top}/{folder}" for folder in _words(unit, f"{kind}Directory")]
        settings[f"{kind.lower()}_folders"] = " ".join(folders)
        settings[f"{kind.lower()}_mode"] = _last(unit, f"{kind}DirectoryMode", "0755")
        if folders:
            environment.append(f"{kind.upper()}_DIRECTORY={':'.join(folders)}")
    # Datagrams to there are written down by the supervisor.
    if _last(unit, "Type", "simple") == "notify":
        environment.append("NOTIFY_SOCKET=/dev/log")
    if watchdog := _last(unit, "WatchdogSec", ""):
        environment.append(f"WATCHDOG_USEC={round(_seconds(watchdog) * 1_000_000)}")
    return Service(user, groups, {
        **settings,
        "environment": " ".join(environment),
        "environment_file": _last(unit, "EnvironmentFile", "").lstrip("-"),
        "umask": _last(unit, "UMask", "0022"),
        "limits": " ".join(_limits(unit)),
        "restart_delay": f"{_seconds(_last(unit, 'RestartSec', '100ms')):g}",
        "command": _last(unit, "ExecStart", "").lstrip("-@:+!"),
    })


def command(tree: pathlib.Path, files: pathlib.Path, name: str) -> str:
    """What Debian's own unit of this name starts, with what the package changes about that.

    - tree: the board's Debian, unpacked.
    - files: the package, unpacked.
    """
    changes = [path.read_text() for path in sorted(files.rglob(f"{name}.d/*.conf"))]
    text = "\n".join([_only(tree, name).read_text(), *changes])
    return _last(_section(text, "Service"), "ExecStart", "")


def _only(files: pathlib.Path, name: str) -> pathlib.Path:
    found = sorted(files.rglob(name))
    if not found:
        raise SystemExit(f"the package in {files} has no {name}")
    return found[0]


def _memberships(files: pathlib.Path, user: str) -> list[str]:
    """Groups that the package's sysusers.d puts the user into: `m USER GROUP`."""
    lines = [line.split() for path in sorted(files.rglob("sysusers.d/*.conf")) for line in path.read_text().splitlines()]
    return [line[2] for line in lines if line[:2] == ["m", user]]


def _limits(unit: dict[str, list[str]]) -> list[str]:
    """Options of prlimit(1)."""
    limits = []
    for key, option in (("LimitRTPRIO", "rtprio"), ("LimitMEMLOCK", "memlock"), ("LimitNOFILE", "nofile")):
        if value := _last(unit, key, ""):
            limits.append(f"--{option}={value.replace('infinity', 'unlimited')}")
    if value := _last(unit, "LimitRTTIME", ""):
        limits.append(f"--rttime={round(_seconds(value) * 1_000_000)}")
    return limits


def _section(text: str, name: str) -> dict[str, list[str]]:
    """Every value of every key, in their order."""
    values: dict[str, list[str]] = {}
    current = ""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        line = line.strip()
        if line.startswith("["):
            current = line.strip("[]")
        elif current == name and "=" in line and line[0] not in "#;":
            key, value = line.split("=", 1)
            values.setdefault(key.strip(), []).append(value.strip())
    return values


def _last(unit: dict[str, list[str]], key: str, default: str) -> str:
    return unit.get(key, [default])[-1]


def _words(unit: dict[str, list[str]], key: str) -> list[str]:
    return [word for value in unit.get(key, []) for word in shlex.split(value)]


def _seconds(text: str) -> float:
    """systemd's durations, as far as a service takes them: 5, 2s, 100ms."""
    number, suffix = re.fullmatch(r"([\d.]+)\s*(ms|s|sec|)", text).groups()
    return float(number) / (1000 if suffix == "ms" else 1)
