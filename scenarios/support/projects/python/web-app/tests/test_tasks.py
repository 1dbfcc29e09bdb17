import unittest

from app.tasks import Tasks


class TasksTest(unittest.TestCase):
    def test_ids_count_from_one(self):
        tasks = Tasks()
        self.assertEqual([tasks.add("a")["id"], tasks.add("b")["id"]], [1, 2])

    def test_complete(self):
        tasks = Tasks()
        tasks.add("a")
        tasks.add("b")
        tasks.complete(tasks.items[0]["id"])
        self.assertEqual([task["title"] for task in tasks.remaining()], ["b"])

    def test_complete_unknown(self):
        with self.assertRaises(KeyError):
            Tasks().complete(7)


if __name__ == "__main__":
    unittest.main()
