import { defineConfig } from '@playwright/test'

// The site under test: a running stack, which SITE_URL names.
export default defineConfig({
  testDir: 'e2e',
  testIgnore: 'pictures/**',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // Long enough for a machine that has other work.
  timeout: 300_000,
  // A browser on a busy machine sometimes hangs. CI names the tests that needed a second try.
  retries: process.env.CI ? 1 : 0,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  projects: [
    { name: 'journey', testMatch: 'journey.spec.ts' },
    { name: 'states', testMatch: 'states.spec.ts' },
    { name: 'firefox', testMatch: 'firefox.spec.ts' },
    // All others need the map and the records of the journey.
    {
      name: 'pages',
      testIgnore: [
        'journey.spec.ts',
        'states.spec.ts',
        'firefox.spec.ts',
        'news.spec.ts',
        'desk.spec.ts',
        'settings.spec.ts',
        'demo.spec.ts',
        'rankings.spec.ts',
        'pictures/**',
      ],
      dependencies: ['journey'],
    },
    // It takes the world record that others know.
    { name: 'news', testMatch: 'news.spec.ts', dependencies: ['pages'] },
    { name: 'desk', testMatch: 'desk.spec.ts', dependencies: ['news'] },
    { name: 'settings', testMatch: 'settings.spec.ts', dependencies: ['desk'] },
    { name: 'demo', testMatch: 'demo.spec.ts', dependencies: ['settings'] },
    // It ranks the players of the demo.
    { name: 'rankings', testMatch: 'rankings.spec.ts', dependencies: ['demo'] },
  ],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    baseURL: process.env.SITE_URL ?? 'http://localhost:8080',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
