// Runs one autocannon job from standard input and prints its result as JSON.
const autocannon = require(process.argv[2])
let input = ''
process.stdin.on('data', (data) => {
  input += data
})
process.stdin.on('end', async () => {
  const result = await autocannon(JSON.parse(input))
  const { non2xx, errors, timeouts, duration, latency } = result
  process.stdout.write(
    JSON.stringify({
      '2xx': result['2xx'],
      non2xx,
      errors,
      timeouts,
      duration,
      latency: { p50: latency.p50, p99: latency.p99 },
    }),
  )
})
