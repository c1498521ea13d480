#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Is this JSON what userspace/man/utf8guard.schema.json says of the command?

schema.py COMMAND FILE prints "ok", or what is wrong; without arguments, answers
a line for each line "COMMAND<tab>FILE". FILE has an object a line: all must be
right, and there must be at least one.
"""
import json
import os
import sys

# Also where python3 is not Debian's.
sys.path.append("/usr/lib/python3/dist-packages")
import jsonschema  # noqa: E402

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../man/utf8guard.schema.json")
with open(path, encoding="ascii") as f:
    schema = json.load(f)
jsonschema.Draft202012Validator.check_schema(schema)


# The greatest integer that a reader with doubles has for sure, as RFC 8259 says.
EXACT = 2**53 - 1


def inexact(value):
    """The first number in it that such a reader would spoil, or None."""
    if isinstance(value, (dict, list)):
        parts = value.values() if isinstance(value, dict) else value
        return next((n for n in map(inexact, parts) if n is not None), None)
    return value if isinstance(value, int) and abs(value) > EXACT else None


def check(command, name):
    validator = jsonschema.Draft202012Validator({**schema, "$ref": f"#/$defs/{command}"})
    with open(name, encoding="utf-8") as f:
        values = [json.loads(line) for line in f]
    if not values:
        return "no JSON"
    for number, value in enumerate(values, 1):
        if inexact(value) is not None:
            return f"{number}: {inexact(value)} is more than 2^53 - 1"
        for error in validator.iter_errors(value):
            return f"{number}: {error.json_path}: {error.message}"[:500].replace("\n", " ")
    return "ok"


def main():
    if len(sys.argv) == 3:
        print(check(*sys.argv[1:]))
        return
    for line in sys.stdin:
        try:
            print(check(*line.rstrip("\n").split("\t")), flush=True)
        except (OSError, ValueError) as e:
            print(f"{type(e).__name__}: {e}", flush=True)


if __name__ == "__main__":
    main()
