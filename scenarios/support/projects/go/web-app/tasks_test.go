package main

import "testing"

func TestIDsCountFromOne(t *testing.T) {
	tasks := &Tasks{}
	if first, second := tasks.Add("a").ID, tasks.Add("b").ID; first != 1 || second != 2 {
		t.Errorf("got %d, %d", first, second)
	}
}

func TestComplete(t *testing.T) {
	tasks := &Tasks{}
	first := tasks.Add("a")
	tasks.Add("b")
	if err := tasks.Complete(first.ID); err != nil {
		t.Fatal(err)
	}
	if left := tasks.Remaining(); len(left) != 1 || left[0].Title != "b" {
		t.Errorf("got %v", left)
	}
}

func TestCompleteUnknown(t *testing.T) {
	if (&Tasks{}).Complete(7) == nil {
		t.Error("expected an error")
	}
}
