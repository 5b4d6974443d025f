// Fails when the style sheet lacks the styles of a literal variant that a component of the source has, and when a component
// of the site has a style property whose value Panda cannot read.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { allCssProperties } from '../styled-system/jsx/is-valid-prop.mjs'

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
  ExternalButtonLink: 'button',
  IconButton: 'button',
  Input: 'input',
  Link: 'link',
  Menu: 'menu',
  NativeSelect: 'native-select',
  Notice: 'alert',
  PageLink: 'link',
  Popover: 'popover',
  Progress: 'progress',
  Spinner: 'spinner',
  Tag: 'tag',
}
const VARIANTS = ['variant', 'size', 'placement', 'orientation', 'status']

// The palettes are in staticCss, and the columns are those of a DataTable.
const STYLES = allCssProperties.filter((name) => ![...VARIANTS, 'colorPalette', 'columns'].includes(name))

const sources = sourceFiles().map((file) =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX),
)
const used = new Set(sources.flatMap(variantsIn))
if (!used.has('button variant subtle')) throw new Error('The variants of the source are not found.')
const sheet = buildSheet()
const missing = [...used].filter((variant) => !isStyled(variant))
if (missing.length > 0) {
  console.error(`The style sheet has no styles of: ${missing.join(', ')}. See staticCss in panda.config.ts.`)
  process.exitCode = 1
}

const unreadable = sources.flatMap(unreadableIn)
if (unreadable.length > 0) {
  console.error(`Panda cannot read: ${unreadable.join(', ')}. Use literals, a variant, or \`style\` for a number.`)
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
function variantsIn(source) {
  return nodesIn(source)
    .filter((node) => ts.isJsxAttribute(node) && VARIANTS.includes(node.name.getText()))
    .flatMap((node) => {
      const tag = tagOf(node)
      const values = textsIn(node)
      const recipe = tag.endsWith('Button') ? 'button' : RECIPES[tag.split('.')[0]]
      if (values.length > 0 && !recipe) throw new Error(`${source.fileName}: which recipe has <${tag}>?`)
      return values.map((value) => `${recipe} ${node.name.getText()} ${value}`)
    })
}

function nodesIn(node) {
  const found = [node]
  ts.forEachChild(node, (child) => void found.push(...nodesIn(child)))
  return found
}

function tagOf(attribute) {
  return attribute.parent.parent.tagName.getText()
}

// unreadableIn lists the style properties of a file whose values are neither literals nor constants of it, such as
// 'src/ui/x.tsx: w={width}'. Its components are those of ui and the elements of styled.
function unreadableIn(source) {
  const nodes = nodesIn(source)
  const constants = new Map(
    nodes.filter(ts.isVariableDeclaration).map((node) => [node.name.getText(), node.initializer]),
  )
  const styled = new Set(
    nodes
      .filter(
        (node) =>
          ts.isImportDeclaration(node) && /^(@\/ui|styled-system\/jsx|.*\/basics)$/.test(node.moduleSpecifier.text),
      )
      .flatMap((node) => node.importClause?.namedBindings?.elements?.map(({ name }) => name.text) ?? []),
  )
  const isReadable = (node) => {
    if (!node || ts.isLiteralExpression(node) || ts.isPrefixUnaryExpression(node)) return true
    if (ts.isIdentifier(node))
      return node.text === 'undefined' || (constants.has(node.text) && isReadable(constants.get(node.text) ?? source))
    if (ts.isConditionalExpression(node)) return isReadable(node.whenTrue) && isReadable(node.whenFalse)
    if (ts.isBinaryExpression(node)) {
      const isCondition = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken
      return isReadable(node.right) && (isCondition || isReadable(node.left))
    }
    if (ts.isObjectLiteralExpression(node))
      return node.properties.every((property) => isReadable(property.initializer ?? source))
    if (ts.isJsxExpression(node) || ts.isAsExpression(node)) return isReadable(node.expression)
    return node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword
  }
  return nodes
    .filter(
      (node) =>
        ts.isJsxAttribute(node) && STYLES.includes(node.name.getText()) && styled.has(tagOf(node).split('.')[0]),
    )
    .filter((node) => !isReadable(node.initializer))
    .map((node) => `${source.fileName}: ${node.getText()}`)
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
