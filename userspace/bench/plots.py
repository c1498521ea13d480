# SPDX-License-Identifier: GPL-2.0
"""Pictures of the records, by gnuplot, as SVG."""
import shutil
import subprocess
import sys

# Who is drawn, in this order, with a colour of its own everywhere.
COLOURS = {
    "utf8guard": "#0b5394", "bmi2": "#6fa8dc", "general": "#6fa8dc", "simdutf": "#cc0000",
    "simdjson": "#e69138", "simdutf8": "#b45f06", "Rust core": "#999999", "ICU": "#38761d",
    "libunistring": "#8e7cc3", "utf8proc": "#c27ba0", "fs/unicode": "#cc0000", "nls": "#e69138",
    "xt_bm_1": "#e69138", "xt_bm_8": "#b45f06", "nft_raw": "#999999",
    "utf8guard_stream": "#6fa8dc",
}
TEXTS = ["ASCII", "Russian", "Japanese", "Hindi", "emoji", "mixed"]


def gnuplot(path, script, data):
    """@data: {name of a data block: rows}."""
    blocks = "".join(f"${name} << EOD\n" + "".join(
        " ".join(map(str, row)) + "\n" for row in rows) + "EOD\n" for name, rows in data.items())
    head = ("set terminal svg size 960,{height} font 'sans,12' background 'white'\n"
            f"set output '{path}'\nset grid ytics lc rgb '#dddddd'\n")
    height = 640 if "multiplot" in script else 420
    run = subprocess.run(["gnuplot"], input=blocks + head.format(height=height) + script,
                         text=True, capture_output=True)
    if run.returncode or run.stderr:
        sys.exit(f"gnuplot: {run.stderr}")


def lines(series, data, columns="1:2"):
    """The plot command of a picture of lines: one for each contestant, in its colour."""
    parts = []
    for i, (by, rows) in enumerate(series.items()):
        name = f"d{len(data)}"
        data[name] = rows
        width = 3 if by.startswith("utf8guard") else 1.5
        parts.append(f"${name} using {columns} with linespoints pt 7 ps .5 lw {width} "
                     f"lc rgb '{COLOURS[by]}' title '{by.replace('_', ' ')}'")
    return "plot " + ", ".join(parts) + "\n"


def series_of(records, x, y, **wanted):
    """{contestant: [(x, y)]} in the order of COLOURS, sorted by x."""
    found = {}
    for by in COLOURS:
        rows = sorted((x(r), y(r)) for r in records
                      if r["by"] == by and all(r.get(k) == v for k, v in wanted.items()))
        if rows:
            found[by] = rows
    return found


def validation(records, path):
    records = [r for r in records if r["part"] == "validate" and r["size"] != "names"]
    if not records:
        return False
    data = {}
    script = ("set multiplot layout 2,3 title 'Validation: octets a cycle, by octets of a text'\n"
              "set logscale xy 2\nset xrange [6:100000]\nset yrange [.01:32]\nset key right bottom samplen 1 font ',8'\n"
              "set xtics (8, 32, 128, 512, '2K' 2048, '64K' 65536)\n")
    for text in TEXTS:
        series = series_of(records, lambda r: float(r["size"]),
                           lambda r: r["octets"] / r["value"], text=text)
        if series:
            script += f"set title '{text}'\n" + lines(series, data)
            script += "unset key\nset yrange [.1:8]\n"
    gnuplot(path, script + "unset multiplot\n", data)
    return True


def normalization(records, path):
    records = [r for r in records if r["part"] == "normalize" and r["size"] == "names"
               and r["form"] == "nfc"]
    if not records:
        return False
    texts = list(dict.fromkeys(r["text"] for r in records))
    who = [by for by in COLOURS if any(r["by"] == by for r in records)]
    figure = {(r["text"], r["by"]): r["value"] for r in records}
    rows = [[f'"{text.replace("_", " ")}"'] + [figure.get((text, by), 0) for by in who]
            for text in texts]
    script = ("set title 'NFC of names: cycles an octet, the lower the better'\n"
              "set style data histograms\nset style fill solid border -1\nset logscale y\n"
              "set xtics rotate by -35 font ',10'\nset bmargin 6\nset key left top horizontal\nplot "
              + ", ".join(f"$d using {i + 2}:xtic(1) lc rgb '{COLOURS[by]}' title '{by}'"
                          for i, by in enumerate(who)) + "\n")
    gnuplot(path, script, {"d": rows})
    return True


def packets(records, path):
    records = [dict(r, by=r["by"].replace(" ", "_")) for r in records
               if r["part"] == "packets" and r["where"] == "uml" and r["engine"] in ("best", "")
               and r["protocol"] == "tcp" and r["skb"] == "linear"]
    if not records:
        return False
    data = {}
    script = ("set multiplot layout 1,2 title 'A TCP segment at the hook: cycles more than "
              "without rules'\nset logscale xy\nset xtics (64, 512, 1400)\nset xrange [50:1800]\n"
              "set key left top samplen 1 font ',9'\n")
    for text in ("ASCII", "Japanese"):
        series = series_of(records, lambda r: float(r["size"]), lambda r: max(r["value"], 1),
                           text=text)
        if series:
            script += f"set title '{text}'\n" + lines(series, data)
    gnuplot(path, script + "unset multiplot\n", data)
    return True


def memory(records, path):
    """Octets that one more takes, by how many there are: a line for each thing that is counted."""
    records = [r for r in records if r["part"] == "memory"]
    if not records:
        return False
    data, parts = {}, []
    for i, by in enumerate(dict.fromkeys(r["by"] for r in records)):
        data[f"d{i}"] = sorted((r["count"], r["value"]) for r in records if r["by"] == by)
        parts.append(f"$d{i} using 1:2 with linespoints pt 7 lw 2 title '{by}'")
    gnuplot(path, "set title 'Octets that one more takes, by how many there are'\nset logscale x\n"
            "set xlabel 'rules or connections'\nset ylabel 'octets'\nset yrange [0:*]\nplot " + ", ".join(parts) + "\n", data)
    return True


def draw(records, directory):
    """Return: (file, title) of each picture that could be drawn."""
    if not shutil.which("gnuplot"):
        print("no pictures: gnuplot is not there")
        return []
    pictures = [
        ("validation.svg", "Validation by size and script", validation),
        ("normalization.svg", "Normalization by script", normalization),
        ("packets.svg", "Packets by size", packets),
        ("memory.svg", "Memory of a rule and of a connection", memory),
    ]
    return [(name, title) for name, title, made in pictures if made(records, f"{directory}/{name}")]
