import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

// A page of settings shows the site's address.
const PORT = 4180
const address = `http://127.0.0.1:${PORT}`
const vite = (command: string) => `npx vite ${command} --config e2e/pictures/vite.config.ts`

// Compares pictures of the built site, whose API is mocked, and of its components with the committed ones. These are of
// Debian's Chromium with the fonts of fonts.conf. 300 pixels may differ; if twelve small buttons lose their background, more
// than that differ. Where a picture fails, the difference is in test-results/pictures, beside the picture that was taken.
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/pictures',
  snapshotPathTemplate: '{testDir}/expected/{arg}{ext}',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  reporter: [['list']],
  expect: {
    timeout: 30_000,
    toHaveScreenshot: { maxDiffPixels: 300, threshold: 0.2, animations: 'disabled' },
  },
  webServer: {
    command: [
      `${vite('build')} --logLevel error`,
      'cp -r dist/. test-results/pictures-site',
      `${vite('preview')} --host 127.0.0.1 --port ${PORT} --strictPort`,
    ].join(' && '),
    cwd: '../..',
    url: `${address}/`,
    timeout: 300_000,
  },
  use: {
    baseURL: address,
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    viewport: { width: 1024, height: 768 },
    contextOptions: { reducedMotion: 'reduce' },
    timezoneId: 'UTC',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=slight'],
      env: { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL('fonts.conf', import.meta.url)) },
    },
  },
})
