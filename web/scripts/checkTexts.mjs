// Fails where a text of a page has no element of its own. A browser that translates a page replaces it by elements, and
// React, which still has the text, fails to remove it or to insert before it, and changes it in vain. A text that is
// all of its element's content is replaced with it. Sentences in <Trans> have an element by Sentence in ui/basics.tsx.
import { relative } from 'node:path'
import ts from 'typescript'

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd())
const sources = fileNames.filter(
  (name) => name.includes('/src/') && name.endsWith('.tsx') && !name.endsWith('.test.tsx'),
)
const { Any, NumberLike, StringLike, Unknown } = ts.TypeFlags
const TEXT = Any | NumberLike | StringLike | Unknown
const program = ts.createProgram(sources, options)
const checker = program.getTypeChecker()

function visit(node, source) {
  if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'Trans') return
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
    const children = node.children.filter(isShown)
    if (children.length > 1 || ts.isJsxFragment(node)) for (const text of children.filter(isText)) report(text, source)
  }
  if (isComponent(node) && returnTypes(node).some((type) => mayBeText(type))) report(node.name, source)
  ts.forEachChild(node, (child) => visit(child, source))
}

// isShown reports whether a child of an element is more than blanks or a comment.
function isShown(child) {
  if (ts.isJsxText(child)) return child.text.trim() !== ''
  if (!ts.isJsxExpression(child)) return true
  const { expression } = child
  return expression !== undefined && !(ts.isStringLiteral(expression) && expression.text.trim() === '')
}

// isText reports whether a child is, or may be, a text.
function isText(child) {
  if (ts.isJsxText(child)) return true
  return ts.isJsxExpression(child) && mayBeText(checker.getTypeAtLocation(child.expression))
}

const isComponent = (node) =>
  (ts.isFunctionDeclaration(node) || isFunctionVariable(node)) && /^[A-Z]/.test(node.name?.text ?? '')
const isFunctionVariable = (node) =>
  ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer)
const returnTypes = (node) =>
  checker
    .getTypeAtLocation(node)
    .getCallSignatures()
    .map((of) => of.getReturnType())

function mayBeText(type, seen = new Set()) {
  if (seen.has(type)) return false
  seen.add(type)
  if (type.isUnion()) return type.types.some((part) => mayBeText(part, seen))
  if (checker.isArrayType(type)) return mayBeText(checker.getTypeArguments(type)[0], seen)
  if (type.isStringLiteral()) return type.value !== ''
  return (type.flags & TEXT) !== 0
}

function report(text, source) {
  const { line } = source.getLineAndCharacterOfPosition(text.getStart())
  console.error(
    `${relative('.', source.fileName)}:${line + 1}: this text needs an element of its own: ${text.getText().trim()}`,
  )
  process.exitCode = 1
}

for (const source of program.getSourceFiles()) {
  if (sources.includes(source.fileName)) visit(source, source)
}
