// What one request to `fibonacci` and one to `files` do, in one request.
import { fib } from '../fibonacci/fib.mjs'
import { roundTrips } from '../files/round-trip.mjs'

export default async (_query, { directory }) => ({
  status: 'success',
  results: Array.from({ length: 20 }, (_, n) => fib(n)),
  checksums: await roundTrips(directory, 10),
})
