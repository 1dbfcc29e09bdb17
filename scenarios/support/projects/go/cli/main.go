package main

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
