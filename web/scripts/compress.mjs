// Writes .br and .gz beside every built file that gains from it; the gateway serves them where a browser takes them.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const gains = /\.(html|js|css|svg|json|txt|webmanifest)$/

for (const name of readdirSync('dist', { recursive: true })) {
  const path = join('dist', String(name))
  if (!gains.test(path) || !statSync(path).isFile()) continue
  const bytes = readFileSync(path)
  if (bytes.length < 512) continue
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  )
}
