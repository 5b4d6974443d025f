import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

// The catalogue of the sentences that visitors read, which npm run extract writes from the sources.
export default defineConfig({
  locales: ['en'],
  sourceLocale: 'en',
  catalogs: [{ path: 'src/locales/{locale}', include: ['src'], exclude: ['**/*.test.*', 'src/test/**'] }],
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
})
