package main

import (
	"strings"
	"testing"
)

func TestRunPrintsTheResult(t *testing.T) {
	if text, err := run([]string{"multiply", "4", "3"}); text != "12" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestRunTellsAWrongNumber(t *testing.T) {
	if _, err := run([]string{"multiply", "four", "3"}); err == nil || !strings.Contains(err.Error(), "four") {
		t.Errorf("got %v", err)
	}
}

func TestRunTellsHowItIsUsed(t *testing.T) {
	if _, err := run(nil); err != errUsage {
		t.Errorf("got %v", err)
	}
}
