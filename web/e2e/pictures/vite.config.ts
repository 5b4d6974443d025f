import { defineConfig } from 'vite'
import site from '../../vite.config'

// The sheet of the site's components, in a folder of its own.
export default defineConfig({
  ...site,
  build: {
    ...site.build,
    outDir: 'test-results/pictures-site',
    emptyOutDir: true,
    rolldownOptions: { ...site.build?.rolldownOptions, input: 'e2e/pictures/sheet.html' },
  },
})
