import contextlib
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
        self.assertEqual(self.call("multiply", "4", "3"), (0, "12\n", ""))

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
