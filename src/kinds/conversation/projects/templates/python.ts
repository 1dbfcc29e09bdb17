import { pythonWebApp } from './python-web-app.js';
import type { LanguageTemplates, ProjectFiles } from './template.js';

const CALCULATOR: ProjectFiles = {
  'calculator/__init__.py': '"""Arithmetic on numbers."""\n',
  'calculator/operations.py': `def add(a, b):
    return a + b


def subtract(a, b):
    return a - b


def multiply(a, b):
    return a * b


def divide(a, b):
    if b == 0:
        raise ValueError("cannot divide by zero")
    return a / b


def total(numbers):
    result = 0
    for index in range(len(numbers)):
        result = add(result, numbers[index])
    return result
`,
  'tests/__init__.py': '',
  'tests/test_operations.py': `import unittest

from calculator import operations


class OperationsTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(operations.add(2, 3), 5)

    def test_subtract(self):
        self.assertEqual(operations.subtract(5, 3), 2)

    def test_multiply(self):
        self.assertEqual(operations.multiply(4, 3), 12)

    def test_divide(self):
        self.assertEqual(operations.divide(8, 2), 4)

    def test_divide_by_zero(self):
        with self.assertRaises(ValueError):
            operations.divide(1, 0)

    def test_total(self):
        self.assertEqual(operations.total([1, 2, 3]), 6)


if __name__ == "__main__":
    unittest.main()
`,
};

/** Test projects in Python, with unittest and nothing to install. */
export const python: LanguageTemplates = {
  testCommand: 'python3 -m unittest discover -s tests',
  ignored: ['__pycache__/', '*.pyc'],
  projects: {
    library: { files: () => CALCULATOR },

    cli: {
      usage: 'python3 -m calculator add 2 3',
      files: () => ({
        ...CALCULATOR,
        'calculator/__main__.py': `import sys

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
`,
        'tests/test_cli.py': `import contextlib
import io
import unittest

from calculator.__main__ import main


class CliTest(unittest.TestCase):
    def call(self, *args):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(args))
        return code, out.getvalue(), err.getvalue()

    def test_prints_the_result(self):
        self.assertEqual(self.call("multiply", "4", "3"), (0, "12\\n", ""))

    def test_tells_a_wrong_number(self):
        code, _, err = self.call("multiply", "four", "3")
        self.assertEqual(code, 1)
        self.assertIn("four", err)

    def test_tells_how_it_is_used(self):
        code, _, err = self.call()
        self.assertEqual(code, 2)
        self.assertIn("usage:", err)


if __name__ == "__main__":
    unittest.main()
`,
      }),
    },

    'web-app': pythonWebApp,
  },
};
