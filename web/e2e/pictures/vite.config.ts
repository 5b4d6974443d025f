import { defineConfig, mergeConfig } from 'vite'
import site from '../../vite.config'

// The site with the sheet of its components, in a folder of its own.
export default defineConfig(
  mergeConfig(site, {
    build: {
      outDir: 'test-results/pictures-site',
      emptyOutDir: true,
      rolldownOptions: { input: ['index.html', 'e2e/pictures/sheet.html'] },
    },
  }),
)
