import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const page = readFileSync('../docs/spec-coverage.md', 'utf8')
const statements = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | ') as [string, string])
  .filter(([statement]) => statement !== 'statement')

describe('the page on the specification', () => {
  it('has a test for each statement', () => {
    expect(statements.length).toBeGreaterThan(100)
    expect(statements.filter(([, tests]) => !tests?.includes(' › '))).toEqual([])
  })

  it('names tests that there are', () => {
    const named = [...page.matchAll(/`(\S+) › (.+?)`(?=<br>| \|)/g)]
    expect(named.length).toBeGreaterThanOrEqual(statements.length)
    expect(named.filter(([, file = '', title = '']) => !isTest(file, title)).map(([reference]) => reference)).toEqual(
      [],
    )
  })
})

// isTest reports whether a file runs a test of this title: it stands where a test, a group of them or a row of a table begins,
// and nothing in the file is left out.
function isTest(file: string, title: string): boolean {
  if (!existsSync(file)) return false
  const source = readFileSync(file, 'utf8')
  if (LEFT_OUT.test(source)) return false
  const begins = new RegExp(`[(\\[]\\s*(['"\`])${title.replace(/[^\w\s]/g, '\\$&')}\\1,`)
  return begins.test(source)
}

const LEFT_OUT = /\.(skip|todo|only|fixme)\(/
