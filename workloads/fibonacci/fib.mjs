// Fibonacci numbers by recursion, because the calls are the work.
export const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2))
