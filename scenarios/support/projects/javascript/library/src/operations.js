export function add(a, b) {
  return a + b;
}

export function subtract(a, b) {
  return a - b;
}

export function multiply(a, b) {
  return a * b;
}

export function divide(a, b) {
  if (b === 0) throw new RangeError('cannot divide by zero');
  return a / b;
}

export function total(numbers) {
  let result = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    result = add(result, numbers[index]);
  }
  return result;
}
