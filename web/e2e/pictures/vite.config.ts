import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type Plugin } from 'vite'
import site from '../../vite.config'

// Starts the site in the pseudo-locale.
const pseudoLocale: Plugin = {
  name: 'pseudo-locale',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source !== './locales' || !importer?.endsWith('/src/main.ts')) return null
    return fileURLToPath(new URL('./pseudoLocale.ts', import.meta.url))
  },
}

// The site with the sheet of its components, or in the pseudo-locale, each in a folder of its own.
export default defineConfig(({ mode }) => {
  const pseudo = mode === 'pseudo'
  return mergeConfig(site, {
    plugins: pseudo ? [pseudoLocale] : [],
    build: {
      outDir: pseudo ? 'test-results/pseudo-site' : 'test-results/pictures-site',
      emptyOutDir: true,
      rolldownOptions: { input: pseudo ? ['index.html'] : ['index.html', 'e2e/pictures/sheet.html'] },
    },
  })
})
