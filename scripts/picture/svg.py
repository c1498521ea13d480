#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Draws the screen of a terminal: "tmux capture-pane -e -N -p" in, SVG out.

    svg.py TITLE <screen.ansi >screen.svg

Each run of cells that look alike is a text of its own, stretched to its cells, so that
columns line up whatever font the viewer has. Characters are one cell wide.
"""
import re
import sys
from html import escape

COLUMNS, CELL, LINE, MARGIN, BAR = 80, 8.4, 18, 12, 26
GROUND, PLAIN = "#1d1f21", "#d0d0d0"
COLORS = ("#5c6370", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d0d0d0")


def looks(codes, look):
    """(colour, bold, reverse) after an SGR sequence with these numbers."""
    color, bold, reverse = look
    for code in codes:
        if code == 0:
            color, bold, reverse = None, False, False
        elif code == 1:
            bold = True
        elif code == 22:
            bold = False
        elif code == 7:
            reverse = True
        elif code == 27:
            reverse = False
        elif 30 <= code <= 37:
            color = COLORS[code - 30]
        elif 90 <= code <= 97:
            color = COLORS[code - 90]
        elif code == 39:
            color = None
    return color, bold, reverse


def runs(line, look):
    """(look, column, text) of a line, and the look after it."""
    found, column = [], 0
    for part in re.split(r"(\x1b\[[0-9;]*m|\x0e|\x0f)", line):
        if part.startswith("\x1b"):
            look = looks([int(code or 0) for code in part[2:-1].split(";")], look)
        elif part not in ("", "\x0e", "\x0f"):
            found.append((look, column, part))
            column += len(part)
    return found, look


def draw(row, run):
    (color, bold, reverse), column, text = run
    x, y, width = MARGIN + column * CELL, BAR + MARGIN + row * LINE, len(text) * CELL
    if reverse:
        yield f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{LINE}" fill="{color or PLAIN}"/>'
    shown = text.strip(" ")
    if not shown:
        return
    x += (len(text) - len(text.lstrip(" "))) * CELL
    fill = GROUND if reverse else color or PLAIN
    weight = ' font-weight="bold"' if bold else ""
    yield (f'<text x="{x:.1f}" y="{y + 13}" fill="{fill}"{weight} textLength="{len(shown) * CELL:.1f}" '
           f'xml:space="preserve">{escape(shown)}</text>')


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    width, height = COLUMNS * CELL + 2 * MARGIN, BAR + len(lines) * LINE + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" '
          f'font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">')
    print(f"<title>{escape(sys.argv[1])}</title>")
    print(f'<rect width="{width:g}" height="{height}" rx="8" fill="{GROUND}"/>')
    for i, color in enumerate(("#e06c75", "#e5c07b", "#98c379")):
        print(f'<circle cx="{18 + 20 * i}" cy="18" r="6" fill="{color}"/>')
    look = None, False, False
    for row, line in enumerate(lines):
        found, look = runs(line, look)
        for run in found:
            for element in draw(row, run):
                print(element)
    print("</svg>")


if __name__ == "__main__":
    main()
