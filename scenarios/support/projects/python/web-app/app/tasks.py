class Tasks:
    def __init__(self):
        self.items = []

    def add(self, title):
        task = {"id": len(self.items) + 1, "title": title, "done": False}
        self.items.append(task)
        return task

    def complete(self, task_id):
        for task in self.items:
            if task["id"] == task_id:
                task["done"] = True
                return task
        raise KeyError(task_id)

    def remaining(self):
        return [task for task in self.items if not task["done"]]
