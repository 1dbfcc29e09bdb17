import { goWebApp } from './go-web-app.js';
import { goMod } from './manifests.js';
import type { LanguageTemplates, ProjectFiles, ProjectName } from './template.js';

function calculator(name: ProjectName, goPackage: string): ProjectFiles {
  return {
    'go.mod': goMod(name),
    'operations.go': `package ${goPackage}

import "errors"

// ErrDivideByZero is what Divide returns when there is nothing to divide by.
var ErrDivideByZero = errors.New("cannot divide by zero")

func Add(a, b float64) float64 {
	return a + b
}

func Subtract(a, b float64) float64 {
	return a - b
}

func Multiply(a, b float64) float64 {
	return a * b
}

func Divide(a, b float64) (float64, error) {
	if b == 0 {
		return 0, ErrDivideByZero
	}
	return a / b, nil
}

func Total(numbers []float64) float64 {
	result := 0.0
	for index := 0; index < len(numbers); index++ {
		result = Add(result, numbers[index])
	}
	return result
}
`,
    'operations_test.go': `package ${goPackage}

import "testing"

func expect(t *testing.T, got, want float64) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAdd(t *testing.T)      { expect(t, Add(2, 3), 5) }
func TestSubtract(t *testing.T) { expect(t, Subtract(5, 3), 2) }
func TestMultiply(t *testing.T) { expect(t, Multiply(4, 3), 12) }

func TestDivide(t *testing.T) {
	got, err := Divide(8, 2)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, got, 4)
}

func TestDivideByZero(t *testing.T) {
	if _, err := Divide(1, 0); err != ErrDivideByZero {
		t.Errorf("got %v", err)
	}
}

func TestTotal(t *testing.T) { expect(t, Total([]float64{1, 2, 3}), 6) }
`,
  };
}

/** Test projects in Go, with only the standard library. */
export const go: LanguageTemplates = {
  testCommand: 'go test ./...',
  ignored: ['*.test', '*.out', '/bin/'],
  projects: {
    library: { files: (name) => calculator(name, 'calculator') },

    cli: {
      usage: 'go run . add 2 3',
      files: (name) => ({
        ...calculator(name, 'main'),
        'main.go': `package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

var errUsage = errors.New("usage: <add|subtract|multiply|divide> <a> <b>")

func run(args []string) (string, error) {
	if len(args) != 3 {
		return "", errUsage
	}
	a, err := strconv.ParseFloat(args[1], 64)
	if err != nil {
		return "", err
	}
	b, err := strconv.ParseFloat(args[2], 64)
	if err != nil {
		return "", err
	}
	result := 0.0
	switch args[0] {
	case "add":
		result = Add(a, b)
	case "subtract":
		result = Subtract(a, b)
	case "multiply":
		result = Multiply(a, b)
	case "divide":
		result, err = Divide(a, b)
	default:
		err = errUsage
	}
	return fmt.Sprintf("%g", result), err
}

func main() {
	text, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	fmt.Println(text)
}
`,
        'main_test.go': `package main

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
`,
      }),
    },

    'web-app': goWebApp,
  },
};
