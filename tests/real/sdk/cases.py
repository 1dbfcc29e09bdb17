"""Runs named calls one after the other and prints one JSON line for each."""

import json
import sys
import traceback

CASES = []
URL = sys.argv[1]


def case(function):
    CASES.append(function)
    return function


def each(*values):
    """Makes one case for each value."""

    def add(function):
        for value in values:
            def run(value=value):
                function(value)
            run.__name__ = f"{function.__name__} {value}"
            CASES.append(run)
        return function

    return add


def same(actual, expected):
    assert actual == expected, f"expected {expected!r}, received {actual!r}"


def raises(kinds, call):
    try:
        result = call()
    except kinds as error:
        return error
    raise AssertionError(f"expected {kinds}, received {result!r}")


def main():
    for run in CASES:
        try:
            run()
            print(json.dumps({"name": run.__name__, "ok": True}), flush=True)
        except BaseException as error:
            detail = f"{error!r}\n{''.join(traceback.format_exc(limit=-4))}"
            print(json.dumps({"name": run.__name__, "ok": False, "detail": detail}), flush=True)
