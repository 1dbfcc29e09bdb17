package {{package}}

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
