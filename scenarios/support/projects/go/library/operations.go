package {{package}}

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
