// Fails when the JavaScript that the home page needs at first outgrows its limit: the entry, what it imports, and the
// home page's own chunk with what that imports.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const LIMIT_KB = 230

const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))
const files = new Set()

function take(key) {
  const chunk = manifest[key]
  if (!chunk || files.has(chunk.file)) return
  files.add(chunk.file)
  for (const name of chunk.imports ?? []) take(name)
}

take('index.html')
take('src/routes/HomePage.tsx')

const kb = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(`dist/${file}`)).length, 0) / 1024
console.log(
  `The home page loads ${kb.toFixed(1)} KB of JavaScript (gzip) in ${files.size} files; the limit is ${LIMIT_KB} KB.`,
)
if (kb > LIMIT_KB) process.exit(1)
