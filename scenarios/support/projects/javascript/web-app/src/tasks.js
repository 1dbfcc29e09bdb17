export class Tasks {
  items = [];

  add(title) {
    const task = { id: this.items.length + 1, title, done: false };
    this.items.push(task);
    return task;
  }

  complete(id) {
    const task = this.items.find((item) => item.id === id);
    if (task === undefined) throw new RangeError(`no task ${id}`);
    task.done = true;
    return task;
  }

  remaining() {
    return this.items.filter((task) => !task.done);
  }
}
