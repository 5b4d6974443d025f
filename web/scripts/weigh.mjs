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
  ['rankings', 'RankingsPage'],
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
  const files = [...filesOf([...START, `src/routes/${page}.tsx`])]
    .map((file) => ({ file, kb: gzipSync(readFileSync(`dist/${file}`)).length / 1024 }))
    .sort((a, b) => b.kb - a.kb)
  const kb = files.reduce((sum, file) => sum + file.kb, 0)
  return { kb, files, text: `${kb.toFixed(1)} KB of JavaScript (gzip) in ${files.length} files` }
}

const HINT = `
A new file of src/ui, src/api, or entities/{map,player,record} is in the chunk "shared", which every page loads. One that
few pages use has to be among the exceptions in scripts/sharedChunk.ts, or in a feature: docs/site.md, "How to add a
page".`

for (const [name, page] of PAGES) {
  const { kb, files, text } = weightOf(page)
  console.log(`The ${name} loads ${text}; the limit is ${LIMIT_KB} KB.`)
  if (kb <= LIMIT_KB) continue
  process.exitCode = 1
  for (const { file, kb } of files) console.error(`  ${kb.toFixed(1).padStart(5)} KB ${file}`)
}
for (const [name, page] of FORMS) console.log(`The ${name} loads ${weightOf(page).text}.`)
if (process.exitCode) console.error(HINT)
