// Fails when the JavaScript that a page needs at first exceeds its limit: the chunks of every page, the page's own, and
// what they import.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const LIMIT_KB = 180
// What index.html loads for every page.
const START = ['index.html', 'src/app/start.tsx']
// The pages that visitors open first.
const PAGES = [
  ['home page', 'HomePage'],
  ['map search', 'MapSearchPage'],
  ['leaderboard', 'LeaderboardPage'],
  ['record', 'RecordPage'],
  ['player search', 'PlayerSearchPage'],
  ['player', 'PlayerPage'],
  ['login', 'LoginPage'],
]
// The forms hold what no other page has; they are opened from a page that is loaded.
const FORMS = [
  ['map form', 'MapSubmitPage'],
  ['record form', 'RecordSubmitPage'],
]

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))

// filesOf lists what is loaded for chunks, with what they import.
function filesOf(keys, files = new Set()) {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no ${key}.`)
    if (files.has(chunk.file)) continue
    files.add(chunk.file)
    filesOf(chunk.imports ?? [], files)
  }
  return files
}

function weightOf(page) {
  const files = filesOf([...START, `src/routes/${page}.tsx`])
  const kb = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(`dist/${file}`)).length, 0) / 1024
  return { kb, text: `${kb.toFixed(1)} KB of JavaScript (gzip) in ${files.size} files` }
}

for (const [name, page] of PAGES) {
  const { kb, text } = weightOf(page)
  console.log(`The ${name} loads ${text}; the limit is ${LIMIT_KB} KB.`)
  if (kb > LIMIT_KB) process.exitCode = 1
}
for (const [name, page] of FORMS) console.log(`The ${name} loads ${weightOf(page).text}.`)
