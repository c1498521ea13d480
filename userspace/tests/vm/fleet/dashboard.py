#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A dashboard of Grafana, without Grafana: dashboard.py FILE URL

Is it shaped as Grafana's documentation says (schemaVersion 37), and does the Prometheus at URL
take each of its queries and find series for it? A line for each test: NAME, what came, what was
wanted, by tabs."""

import json
import sys
import urllib.parse
import urllib.request

KINDS = {"stat", "timeseries", "table"}


def say(name, got, wanted):
    print(name, got, wanted, sep="\t", flush=True)


def ask(url, query):
    with urllib.request.urlopen(url + "/api/v1/query?" + urllib.parse.urlencode({"query": query})) as f:
        return json.load(f)


def shape(board):
    """What is missing, or of another type than Grafana reads."""
    wrong = [key for key, kind in (("uid", str), ("title", str), ("schemaVersion", int), ("panels", list),
                                   ("templating", dict), ("time", dict)) if not isinstance(board.get(key), kind)]
    names = {v["name"] for v in board["templating"]["list"]}
    taken = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        if panel["type"] not in KINDS or panel["datasource"] != {"type": "prometheus", "uid": "${source}"}:
            wrong.append(panel["title"])
        if cells & taken or at["x"] + at["w"] > 24:
            wrong.append("place of " + panel["title"])
        taken |= cells
        if [t["refId"] for t in panel["targets"]] != [chr(65 + i) for i in range(len(panel["targets"]))]:
            wrong.append("refId of " + panel["title"])
        # The metrics change once a minute: over less, a rate is now 0 and now too much.
        if any("$__rate_interval" in t["expr"] and t.get("interval") != "1m" for t in panel["targets"]):
            wrong.append("interval of " + panel["title"])
    if len({p["id"] for p in board["panels"]}) != len(board["panels"]) or not {"source", "instance"} <= names:
        wrong.append("ids or variables")
    return " ".join(wrong) or "ok"


def main(path, url):
    with open(path, encoding="utf-8") as f:
        board = json.load(f)
    say("its shape", shape(board), "ok")
    for panel in board["panels"]:
        for target in panel["targets"]:
            query = target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*")
            answer = ask(url, query)
            say(f"{panel['title']}: {query}", answer["status"] if answer["data"]["result"] else "no series", "success")
    say("done", "", "")


main(*sys.argv[1:])
