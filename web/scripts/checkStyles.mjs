// Fails when the style sheet lacks the styles of a literal variant that a component of the source has.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'

// The recipe of each component that has variants, by its tag. A component that passes them on has that of the one below.
const RECIPES = {
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

const used = new Set(sourceFiles().flatMap(variantsIn))
if (!used.has('button variant subtle')) throw new Error('The variants of the source are not found.')
const sheet = buildSheet()
const missing = [...used].filter((variant) => !isStyled(variant))
if (missing.length > 0) {
  console.error(`The style sheet has no styles of: ${missing.join(', ')}. See staticCss in panda.config.ts.`)
  process.exitCode = 1
}

// buildSheet writes the style sheet as the build does.
function buildSheet() {
  const file = join(tmpdir(), `capzone-styles-${process.pid}.css`)
  try {
    execFileSync('npx', ['panda', 'cssgen', '--silent', '--outfile', file])
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(file, { force: true })
  }
}

function isStyled(variant) {
  const [recipe, name, value] = variant.split(' ')
  return new RegExp(`\\.${recipe}(__\\w+)?--${name}_(\\\\3)?${value}\\b`).test(sheet)
}

function sourceFiles() {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => join('src', name))
}

// variantsIn lists the variants that stand in a file, such as 'button size xs', also those behind a condition.
function variantsIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found = []
  const visit = (node) => {
    if (ts.isJsxAttribute(node) && VARIANTS.includes(node.name.getText())) {
      const tag = node.parent.parent.tagName.getText()
      const values = textsIn(node)
      const recipe = tag.endsWith('Button') ? 'button' : RECIPES[tag.split('.')[0]]
      if (values.length > 0 && !recipe) throw new Error(`${file}: which recipe has <${tag}>?`)
      found.push(...values.map((value) => `${recipe} ${node.name.getText()} ${value}`))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

// textsIn lists the texts of an attribute, but not those of a condition.
function textsIn(node) {
  if (ts.isStringLiteral(node)) return [node.text]
  const parts = []
  ts.forEachChild(node, (child) => {
    if (ts.isConditionalExpression(node) && child === node.condition) return
    parts.push(...textsIn(child))
  })
  return parts
}
