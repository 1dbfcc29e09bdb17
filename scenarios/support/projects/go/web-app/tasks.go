package main

import "fmt"

type Task struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
	Done  bool   `json:"done"`
}

type Tasks struct {
	Items []*Task
}

func (tasks *Tasks) Add(title string) *Task {
	task := &Task{ID: len(tasks.Items) + 1, Title: title}
	tasks.Items = append(tasks.Items, task)
	return task
}

func (tasks *Tasks) Complete(id int) error {
	for _, task := range tasks.Items {
		if task.ID == id {
			task.Done = true
			return nil
		}
	}
	return fmt.Errorf("no task %d", id)
}

func (tasks *Tasks) Remaining() []*Task {
	remaining := []*Task{}
	for _, task := range tasks.Items {
		if !task.Done {
			remaining = append(remaining, task)
		}
	}
	return remaining
}
