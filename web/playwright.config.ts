import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// SITE_URL and DATA_DIR name a running stack. Otherwise one is started at a free port, which is chosen once: the workers
// read this file, too.
const startsStack = process.env.SITE_URL === undefined || process.env.E2E_STACK === 'own'
if (process.env.SITE_URL === undefined) {
  const port = await freePort()
  Object.assign(process.env, {
    E2E_STACK: 'own',
    PORT: String(port),
    SITE_URL: `http://localhost:${port}`,
    DATA_DIR: join(tmpdir(), `capzone-e2e-${port}`),
  })
}

export default defineConfig({
  testDir: 'e2e',
  testIgnore: 'pictures/**',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // One of them often waits for the site.
  workers: 3,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  webServer: startsStack
    ? {
        command: 'trap : TERM INT; .tools/bin/local up; rm -rf "$DATA_DIR"',
        cwd: '..',
        wait: { stdout: /Capzone is at/ },
        timeout: 10 * 60_000,
        gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
      }
    : undefined,
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    baseURL: process.env.SITE_URL ?? '',
    // What opens and closes is there and gone at once.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of each test would take a fifth of the time.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
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

// freePort returns a port that no program listens at.
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
