// Fails when the JavaScript that the home page or the leaderboard needs at first exceeds its limit: the chunks of every
// page, the page's own, and what they import. It fails, too, when a page that only shows something loads @chakra-ui/react.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const LIMIT_KB = 170
// What index.html loads for every page.
const START = ['index.html', 'src/app/start.tsx']
// The forms of these pages are Chakra's.
const CHAKRA_PAGES = ['src/routes/MapSubmitPage.tsx', 'src/routes/RecordSubmitPage.tsx']
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

for (const [name, page] of [
  ['home page', 'src/routes/HomePage.tsx'],
  ['leaderboard', 'src/routes/LeaderboardPage.tsx'],
]) {
  const files = filesOf([...START, page])
  const kb = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(`dist/${file}`)).length, 0) / 1024
  console.log(
    `The ${name} loads ${kb.toFixed(1)} KB of JavaScript (gzip) in ${files.size} files; the limit is ${LIMIT_KB} KB.`,
  )
  if (kb > LIMIT_KB) process.exitCode = 1
}

const pages = Object.keys(manifest).filter((key) => /^src\/routes\/\w+Page\.tsx$/.test(key))
if (pages.length === 0) throw new Error('The build has no pages.')
const heavy = pages.filter(
  (page) =>
    !CHAKRA_PAGES.includes(page) &&
    [...filesOf([...START, page])].some((file) => readFileSync(`dist/${file}`, 'utf8').includes(CHAKRA)),
)
if (heavy.length > 0) {
  console.error(`These pages load Chakra before anybody needs it: ${heavy.join(', ')}.`)
  process.exit(1)
}
