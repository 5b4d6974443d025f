import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

// The generator reads the documents of all services, which takes seconds.
const GENERATE_TIMEOUT_MS = 60_000

it('is what the services document today; npm run generate writes it anew', { timeout: GENERATE_TIMEOUT_MS }, () => {
  const fresh = mkdtempSync(join(tmpdir(), 'capzone-'))
  onTestFinished(() => rmSync(fresh, { recursive: true }))
  execFileSync('npm', ['run', '-s', 'generate'], {
    env: { ...process.env, GENERATED_FOLDER: fresh },
    stdio: 'pipe',
  })
  const imports = /from "[^"]*baseQuery"/
  const text = (path: string) => readFileSync(path, 'utf8').replace(imports, 'from "base"')
  for (const file of ['generated.ts', 'generatedDesk.ts', 'generatedSettings.ts']) {
    expect(text(`src/api/${file}`)).toBe(text(join(fresh, file)))
  }
})
