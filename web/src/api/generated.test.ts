import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('is what the services document today; npm run generate writes it anew', () => {
  const fresh = mkdtempSync(join(tmpdir(), 'capzone-'))
  execFileSync('npm', ['run', '-s', 'generate'], {
    env: { ...process.env, GENERATED_FOLDER: fresh },
    stdio: 'pipe',
  })
  const imports = /from "[^"]*baseQuery"/
  const text = (path: string) => readFileSync(path, 'utf8').replace(imports, 'from "base"')
  for (const file of ['generated.ts', 'generatedDesk.ts', 'generatedSettings.ts']) {
    expect(text(`src/api/${file}`)).toBe(text(join(fresh, file)))
  }
}, 60_000)
