import { defineConfig } from 'vitest/config'

const SYSTEM = ['test/system/**/*.test.ts', 'test/hostile/**/*.test.ts']

export default defineConfig({
  test: {
    // Two cores: more workers only make the servers of the tests wait for each other.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    globalSetup: ['test/support/global-setup.ts'],
    projects: [
      // No process of its own, no Redis, no browser: a provider is played on loopback, the app is injected into. No module
      // keeps state, so files share one registry: that halves the time.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...SYSTEM, '**/node_modules/**'],
          isolate: false,
        },
      },
      // The service as a process, Redis, Chromium, files that are deployed, hostile input.
      { extends: true, test: { name: 'system', include: SYSTEM, exclude: ['**/node_modules/**'] } },
    ],
  },
})
