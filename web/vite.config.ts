import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { catalogues } from './scripts/catalogues.ts'
import { linguiMacros } from './scripts/linguiMacros.ts'
import { staticStyles } from './scripts/staticStyles.ts'
import { usedStyles } from './scripts/usedStyles.ts'
import { config } from './src/config.ts'

// The running stack that `npm run dev` and `npm run preview` talk to.
const stack = process.env.SITE_URL ?? `http://localhost:${process.env.PORT ?? 8080}`

const proxy = Object.fromEntries(
  ['/api', '/media', '/healthz'].map((path) => [
    path,
    // The gateway judges browsers by Origin; through the proxy they come from another port.
    { target: stack, changeOrigin: true, headers: { origin: stack } },
  ]),
)

// Writes the site's configuration into index.html.
const siteConfig: Plugin = {
  name: 'site-config',
  transformIndexHtml: (html) =>
    html
      .replaceAll('%siteName%', config.siteName)
      .replaceAll('%description%', config.description)
      .replaceAll('%contact%', config.contact),
}

// Fetches the style sheet before everything else and the code behind what the first paint needs: without HTTP/2, a
// browser fetches six files at a time. The sheet is linked behind the frame of the page, which is painted without it. The
// page of the API's documentation has no frame.
const styleSheetFirst: Plugin = {
  name: 'style-sheet-first',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      if (!html.includes('id="root"')) return html
      const start = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'start')
      const chunks = start?.type === 'chunk' ? [start.fileName, ...start.imports] : []
      const preloads = chunks
        .filter((file) => !html.includes(file))
        .map((file) => `  <link rel="modulepreload" crossorigin href="/${file}">\n  `)
      const link = /^ *<link rel="stylesheet".*\n/m
      const [sheet] = link.exec(html) ?? ['']
      return html
        .replace(link, '')
        .replace('<head>\n', (head) => head + sheet.replace('rel="stylesheet"', 'rel="preload" as="style"'))
        .replace(/<div id="root".*\n/, (root) => root + sheet)
        .replace('</head>', (end) => preloads.join('') + end)
        .replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
    },
  },
}

// The router without the warnings of its development: its package has that build under no name of its own.
const productionRouter: Plugin = {
  name: 'production-router',
  apply: 'build',
  config: () => ({
    resolve: {
      alias: {
        'react-router': fileURLToPath(
          new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url),
        ),
      },
    },
  }),
}

export default defineConfig({
  plugins: [staticStyles, linguiMacros, catalogues, react(), siteConfig, styleSheetFirst, productionRouter, usedStyles],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      'styled-system': fileURLToPath(new URL('./styled-system', import.meta.url)),
    },
  },
  server: { proxy },
  preview: { proxy },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      input: ['index.html', 'api-docs.html'],
      // A page loads the components and recipes that it uses, and not all of them.
      treeshake: { moduleSideEffects: [{ test: /\/(src\/ui|styled-system)\//, sideEffects: false }] },
      output: {
        // Names would add to every page, which has them in its imports.
        chunkFileNames: 'assets/[hash].js',
        codeSplitting: {
          groups: [
            // What main.ts imports: it requests the session and the page's code.
            { name: 'entry', tags: ['$initial'], test: /\/web\/(src\/(?!main|api-docs)|node_modules\/(?!swagger))/ },
            // What every page has. Fewer pages have what is in folders below.
            {
              name: 'shared',
              test: /\/web\/src\/((ui|api|session|entities\/(map|player|record))\/[^/]+$|routes\/loaders)|\/styled-system\/(jsx|patterns)\//,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000' } },
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    clearMocks: true,
    restoreMocks: true,
    unstubGlobals: true,
    // Reading the application in again for each file took as long as testing it. What files share is reset in setup.ts.
    isolate: false,
    maxWorkers: '100%',
    // Days that tests name are those of one time zone.
    env: { TZ: 'UTC' },
    testTimeout: 30_000,
  },
})
