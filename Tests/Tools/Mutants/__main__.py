"""Deliberate bugs in a source file, made by operators: Mutants FILE COUNT SEED

Prints COUNT of them, or all that there are, drawn by SEED, in the form of Tests/Programs/Soak/mutations.txt. Each changes one
line of code that the file has once: a comparison, a condition, a bound, a choice of first or last, or a call that is left out.
Exits with 2 where there is none, or where no tests are known for the file.
"""

import pathlib
import random
import re
import sys

# What a line has, and what a bug puts there.
OPERATORS = {
    "comparison": [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == ")],
    "condition": [(" && ", " || "), (" || ", " && "), ("if !", "if "), ("guard !", "guard "), (" true", " false"),
                  (" false", " true")],
    "bound": [("..<", "..."), ("...", "..<"), (" + ", " - "), (" - ", " + "), (" += ", " -= "), (" -= ", " += ")],
    "choice": [("min(", "max("), ("max(", "min("), (".min ", ".max "), (".max ", ".min "), (".first", ".last"),
               (".last", ".first"), ("isEmpty", "isEmpty == false")],
}
# A call whose result nobody takes.
CALL = re.compile(r"(?!(return|throw|await|super|self\.init|print)\b)[a-z]\w*(\.\w+)*\(.*\)")
# Lines that a bug would not be built in, or that people read.
LEFT_OUT = re.compile(r"//|@|import |assert|precondition|.*\"")
# What comes before the code on a line: the head of a function, in which operators are types and defaults, or of a case.
HEAD = re.compile(r"((public |package |private |fileprivate |static )*(mutating )?(func|init)\b.*?( \{ |$)|case \.[^:]*: )?")
# The tests of a folder of Sources, where they are not those of its name.
TESTS = {"Board": "GPIOLinesTests|InputDevicesTests|FirmwareTests", "Jukebox": "Jukebox(Walks)?Tests|SimulatorTests",
         "jackdaw": "JackdawTests", "jackdaw-fleet": "JackdawTests"}


def bugs(file: pathlib.Path) -> list[tuple[str, str, str]]:
    """What each is, the code that it changes, and what stands there instead."""
    text = file.read_text()
    found = []
    is_text = False
    for number, line in enumerate(text.splitlines(), 1):
        is_text ^= line.count('"""') % 2 == 1
        code = line.split(" // ")[0].strip()
        if is_text or not code or LEFT_OUT.match(code) or text.count(code) != 1:
            continue
        begin = HEAD.match(code).end()
        for what, pairs in OPERATORS.items():
            for old, new in pairs:
                places = [place.start() for place in re.finditer(re.escape(old), code) if place.start() >= begin]
                found += [(f"{what} at line {number}", code, code[:place] + new + code[place + len(old):]) for place in places]
        if CALL.fullmatch(code[begin:]):
            found.append((f"call at line {number}", code, code[:begin] + ("break" if begin else "")))
    return found


def main() -> int:
    file, count, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    folder = file.parts[1]
    tests = TESTS.get(folder, f"{folder}Tests")
    if not any(pathlib.Path("Tests", name).is_dir() for name in tests.split("|")):
        print(f"{file}: the tests of {folder} are not known, see TESTS in Tests/Tools/Mutants", file=sys.stderr)
        return 2
    found = bugs(file)
    if not found:
        print(f"{file}: there is no line that an operator would make a bug of", file=sys.stderr)
        return 2
    print(file)
    for what, old, new in random.Random(seed).sample(found, min(count, len(found))):
        print(f"{file.name}: {what}", f"- {old}", f"+ {new}", f"? {tests}", "", sep="\n")
    return 0


sys.exit(main())
