import unittest

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
