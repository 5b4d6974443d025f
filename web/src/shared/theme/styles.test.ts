import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { theSystem } from './system'

it('has every variable that a style sheet or a component takes from it', () => {
  const known = new Set(
    [...theSystem().tokens.cssVarMap.values()].flatMap((variables) => [...variables.keys()]),
  )
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(css|tsx)$/.test(name),
  )
  const used = sources.flatMap((name) => [
    // A name that goes on with an expression is left out: those of medals and of the scene.
    ...readFileSync(join('src', name), 'utf8').matchAll(/--cz-[\w-]+(?![\w-]*\$\{)/g),
  ])
  expect(used.length).toBeGreaterThan(0)
  expect(used.map(([variable]) => variable).filter((variable) => !known.has(variable))).toEqual([])
})
