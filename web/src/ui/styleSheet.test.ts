import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

// The recipe of each component that has variants, by its tag. A component that passes them on has that of the one below.
const RECIPES: Record<string, string> = {
  Alert: 'alert',
  Badge: 'badge',
  Button: 'button',
  ButtonLink: 'button',
  Code: 'code',
  DataList: 'data-list',
  Dialog: 'dialog',
  Drawer: 'drawer',
  IconButton: 'button',
  Input: 'input',
  Link: 'link',
  Menu: 'menu',
  NativeSelect: 'native-select',
  PageLink: 'link',
  Popover: 'popover',
  Progress: 'progress',
  Spinner: 'spinner',
  Tag: 'tag',
}
const VARIANTS = ['variant', 'size', 'placement', 'orientation', 'status']
// Panda reads the whole source, which takes seconds, and beside other work a minute.
const BUILD_TIMEOUT_MS = 600_000

it('has the styles of every variant that the source uses', { timeout: BUILD_TIMEOUT_MS }, () => {
  const sheet = buildSheet()
  const used = [...new Set(sourceFiles().flatMap(variantsIn))].sort()
  expect(used).toContain('button variant subtle')
  expect(used).toContain('button size 2xs')
  expect(used.filter((variant) => !isStyled(sheet, variant))).toEqual([])
})

// buildSheet writes the style sheet as the build does.
function buildSheet(): string {
  const file = join(tmpdir(), `capzone-styles-${process.pid}.css`)
  try {
    execFileSync('npx', ['panda', 'cssgen', '--silent', '--outfile', file])
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(file, { force: true })
  }
}

function isStyled(sheet: string, variant: string): boolean {
  const [recipe, name, value] = variant.split(' ')
  return new RegExp(`\\.${recipe}(__\\w+)?--${name}_(\\\\3)?${value}\\b`).test(sheet)
}

function sourceFiles(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => join('src', name))
}

// variantsIn lists the variants that stand in a file, such as 'button size xs', also those behind a condition.
function variantsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isJsxAttribute(node) && VARIANTS.includes(node.name.getText())) {
      const tag = node.parent.parent.tagName.getText()
      const values = textsIn(node)
      const recipe = RECIPES[tag.split('.')[0] ?? '']
      if (values.length > 0 && !recipe) throw new Error(`${file}: which recipe has <${tag}>?`)
      found.push(...values.map((value) => `${recipe} ${node.name.getText()} ${value}`))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

// textsIn lists the texts of an attribute, but not those of a condition.
function textsIn(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text]
  const parts: string[] = []
  ts.forEachChild(node, (child) => {
    if (ts.isConditionalExpression(node) && child === node.condition) return
    parts.push(...textsIn(child))
  })
  return parts
}
