import { defineConfig } from '@playwright/test'

const port = 4180

// Compares pictures of the built site, whose API is mocked, with the committed ones. They are
// those of Debian's Chromium, with the same fonts: a few pixels may differ, and twelve small buttons may not.
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/pictures',
  snapshotPathTemplate: '{testDir}/expected/{arg}{ext}',
  workers: 1,
  timeout: 300_000,
  reporter: [['list']],
  expect: {
    timeout: 60_000,
    toHaveScreenshot: { maxDiffPixels: 300, threshold: 0.2, animations: 'disabled' },
  },
  webServer: {
    command: `npx vite build --config e2e/pictures/vite.config.ts --logLevel error && npx vite preview --config e2e/pictures/vite.config.ts --host 127.0.0.1 --port ${port}`,
    cwd: '../..',
    url: `http://127.0.0.1:${port}/`,
    timeout: 300_000,
  },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1024, height: 768 },
    contextOptions: { reducedMotion: 'reduce' },
    timezoneId: 'UTC',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    },
  },
})
