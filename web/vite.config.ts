import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { type Plugin, runnerImport } from 'vite'
import { defineConfig } from 'vitest/config'

// The running stack that `npm run dev` and `npm run preview` talk to.
const stack = process.env.SITE_URL ?? `http://localhost:${process.env.PORT ?? 8080}`

const proxy = Object.fromEntries(
  ['/api', '/media', '/healthz'].map((path) => [
    path,
    // The gateway judges browsers by Origin; through the proxy they come from another port.
    { target: stack, changeOrigin: true, headers: { origin: stack } },
  ]),
)

const themeSheetSource = fileURLToPath(new URL('./src/shared/theme/sheet.ts', import.meta.url))

// No such file lies there, but what works on style sheets wants a place.
const themeSheetPlace = fileURLToPath(new URL('./src/shared/theme/virtual-theme.css', import.meta.url))

// The theme as a style sheet, under the name 'virtual:theme.css'.
const themeSheet: Plugin = {
  name: 'theme-sheet',
  resolveId: (id) => (id === 'virtual:theme.css' ? themeSheetPlace : null),
  async load(id) {
    if (id !== themeSheetPlace) return null
    const { module, dependencies } = await runnerImport<typeof import('./src/shared/theme/sheet')>(
      themeSheetSource,
      { configFile: false, logLevel: 'error' },
    )
    for (const file of [themeSheetSource, ...dependencies]) this.addWatchFile(file)
    return module.themeSheet()
  },
}

export default defineConfig({
  plugins: [react(), themeSheet],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy },
  preview: { proxy },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'api-docs.html'],
      output: {
        // What every page draws with comes in one file and not in thirty small ones.
        codeSplitting: { groups: [{ name: 'shared', test: /\/src\/shared\/(components|lib)\// }] },
      },
    },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000' } },
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Reading the application in again for each file took as long as testing it. What files share is reset in setup.ts.
    isolate: false,
    maxWorkers: '100%',
    // Days that tests name are those of one time zone.
    env: { TZ: 'UTC' },
    // Long enough for a machine that has other work.
    testTimeout: 60_000,
  },
})
