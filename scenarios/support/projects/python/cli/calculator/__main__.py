import sys

from calculator import operations

NAMES = ["add", "subtract", "multiply", "divide"]


def main(args):
    if len(args) != 3 or args[0] not in NAMES:
        print(f"usage: python3 -m calculator <{'|'.join(NAMES)}> <a> <b>", file=sys.stderr)
        return 2
    try:
        a, b = float(args[1]), float(args[2])
        print(f"{getattr(operations, args[0])(a, b):g}")
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
