import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('is what the services document today; npm run generate writes it anew', () => {
  const fresh = join(mkdtempSync(join(tmpdir(), 'capzone-')), 'generated.ts')
  execFileSync('npm', ['run', '-s', 'generate'], {
    env: { ...process.env, GENERATED_FILE: fresh },
    stdio: 'pipe',
  })
  const imports = /from "[^"]*baseQuery"/
  const text = (path: string) => readFileSync(path, 'utf8').replace(imports, 'from "base"')
  expect(text('src/api/generated.ts')).toBe(text(fresh))
}, 60_000)
