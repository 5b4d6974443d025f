import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

const picturesPort = 4180
const pseudoPort = 4181

const address = (port: number) => `http://127.0.0.1:${port}`

// Builds the site in a mode of vite.config.ts and serves it.
function serve(mode: string, port: number) {
  const options = `--config e2e/pictures/vite.config.ts --mode ${mode}`
  return {
    command: `npx vite build ${options} --logLevel error && npx vite preview ${options} --host 127.0.0.1 --port ${port}`,
    cwd: '../..',
    url: `${address(port)}/`,
    timeout: 300_000,
  }
}

// Compares pictures of the built site, whose API is mocked, with the committed ones, and reads its pages in the
// pseudo-locale. The committed pictures are those of Debian's Chromium with the fonts of fonts.conf. 300 pixels may
// differ; if twelve small buttons lose their background, more than that differ.
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/pictures',
  snapshotPathTemplate: '{testDir}/expected/{arg}{ext}',
  workers: 1,
  timeout: 300_000,
  // A browser on a busy machine sometimes hangs. CI names the tests that needed a second try.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  expect: {
    timeout: 60_000,
    toHaveScreenshot: { maxDiffPixels: 300, threshold: 0.2, animations: 'disabled' },
  },
  projects: [
    { name: 'pictures', testMatch: 'pictures.spec.ts', use: { baseURL: address(picturesPort) } },
    { name: 'pseudo-locale', testMatch: 'pseudoLocale.spec.ts', use: { baseURL: address(pseudoPort) } },
  ],
  webServer: [serve('production', picturesPort), serve('pseudo', pseudoPort)],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    viewport: { width: 1024, height: 768 },
    contextOptions: { reducedMotion: 'reduce' },
    timezoneId: 'UTC',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
      env: { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL('fonts.conf', import.meta.url)) },
    },
  },
})
