// Fails when the JavaScript that the home page needs at first outgrows its limit: the entry, what it imports, and the
// home page's own chunk with what that imports. Fails, too, when a page that only shows something needs Chakra for it.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const LIMIT_KB = 230
// The forms of these pages are Chakra's.
const CHAKRA_PAGES = ['src/routes/MapSubmitPage.tsx', 'src/routes/ReplaySubmitPage.tsx']
// A name that the theme of Chakra has, and nothing else.
const CHAKRA = 'chakra-theme'

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))

// filesOf lists what is loaded for chunks, with what they import.
function filesOf(keys, files = new Set()) {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) continue
    files.add(chunk.file)
    filesOf(chunk.imports ?? [], files)
  }
  return files
}

const files = filesOf(['index.html', 'src/routes/HomePage.tsx'])
const kb = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(`dist/${file}`)).length, 0) / 1024
console.log(
  `The home page loads ${kb.toFixed(1)} KB of JavaScript (gzip) in ${files.size} files; the limit is ${LIMIT_KB} KB.`,
)
if (kb > LIMIT_KB) process.exit(1)

const pages = Object.keys(manifest).filter((key) => /^src\/routes\/\w+Page\.tsx$/.test(key))
if (pages.length === 0) throw new Error('The build has no pages.')
const heavy = pages.filter(
  (page) =>
    !CHAKRA_PAGES.includes(page) &&
    [...filesOf(['index.html', page])].some((file) => readFileSync(`dist/${file}`, 'utf8').includes(CHAKRA)),
)
if (heavy.length > 0) {
  console.error(`These pages load Chakra before anybody needs it: ${heavy.join(', ')}.`)
  process.exit(1)
}
