# SPDX-License-Identifier: GPL-2.0
"""What the helpers of the suites have in common: a line of words, a line of answer."""
import errno
import sys


def serve(commands):
    """Answers each line of standard input, words between tabs, by the command it names."""
    for line in sys.stdin:
        words = line.rstrip("\n").split("\t")
        try:
            result = commands[words[0]](*words[1:])
        except OSError as e:
            result = f"{errno.errorcode.get(e.errno, type(e).__name__)}: {e}"
        except Exception as e:  # a fault of the test: must not end in silence
            result = f"{type(e).__name__}: {e}"
        print(result, flush=True)
