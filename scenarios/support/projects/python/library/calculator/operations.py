def add(a, b):
    return a + b


def subtract(a, b):
    return a - b


def multiply(a, b):
    return a * b


def divide(a, b):
    if b == 0:
        raise ValueError("cannot divide by zero")
    return a / b


def total(numbers):
    result = 0
    for index in range(len(numbers)):
        result = add(result, numbers[index])
    return result
