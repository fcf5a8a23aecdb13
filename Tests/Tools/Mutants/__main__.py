"""Deliberate bugs in a source file, made by operators: Mutants FILE COUNT SEED

Prints COUNT of them, drawn by SEED, in the form of Tests/Programs/Soak/mutations.txt. Each changes one line of code that the
file has once: a comparison, a bound, a condition, a choice of first or last, or a call that is left out.
"""

import pathlib
import random
import re
import sys

# What stands in a line, and what a bug puts there.
OPERATORS = {
    "comparison": [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == ")],
    "condition": [(" && ", " || "), (" || ", " && "), ("if !", "if "), ("guard !", "guard "), (" true", " false"),
                  (" false", " true")],
    "bound": [("..<", "..."), ("...", "..<"), (" + ", " - "), (" - ", " + "), (" += ", " -= "), (" -= ", " += ")],
    "choice": [("min(", "max("), ("max(", "min("), (".min ", ".max "), (".max ", ".min "), ("first", "last"),
               ("last", "first"), ("isEmpty", "isEmpty == false")],
}
# A call whose result nobody takes.
CALL = re.compile(r"(?!(return|throw|await|super|self\.init|assert|precondition|print)\b)[a-z]\w*(\.\w+)*\(.*\)")
TESTS = {"Jukebox": "JukeboxTests|SimulatorTests"}  # of a folder of Sources, where they are not those of its name


def bugs(file: pathlib.Path) -> list[tuple[str, str, str]]:
    """What each is, the code that it changes, and what stands there instead."""
    text = file.read_text()
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split(" // ")[0].strip()
        # What has a text in it is mostly for people to read.
        if not code or code.startswith(("//", "@", "import ", "case .", "assert", "precondition")) or '"' in code or text.count(code) != 1:
            continue
        for what, pairs in OPERATORS.items():
            for old, new in pairs:
                places = [place.start() for place in re.finditer(re.escape(old), code)]
                found += [(f"{what} at line {number}", code, code[:place] + new + code[place + len(old):]) for place in places]
        if CALL.fullmatch(code):
            found.append((f"call at line {number}", code, ""))
    return found


def main() -> int:
    file, count, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    found = bugs(file)
    drawn = random.Random(seed).sample(found, min(count, len(found)))
    folder = file.parts[1]
    for what, old, new in drawn:
        print(f"{file}: {what}", file, f"- {old}", f"+ {new}", f"? {TESTS.get(folder, f'{folder}Tests')}", "", sep="\n")
    return 0


sys.exit(main())
