"""Tables in a page, each between two marks."""

import pathlib


def put(page: pathlib.Path, content: str, marks: tuple[str, str]) -> None:
    """Replaces what stands between the marks. Throws where they do not both stand there."""
    before, begin, rest = page.read_text().partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not begin or not end:
        raise SystemExit(f"{page}: expected the lines {marks[0]} and {marks[1]} around the table")
    page.write_text(f"{before}{marks[0]}\n{content}{marks[1]}{after}")
