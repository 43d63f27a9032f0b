// Twenty Fibonacci numbers, computed anew for each request.
import { fib } from './fib.mjs'

export default () => ({ status: 'success', results: Array.from({ length: 20 }, (_, n) => fib(n)) })
