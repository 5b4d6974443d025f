import { fileURLToPath } from 'node:url'
import { type NodePath, type PluginObj, transformAsync, types } from '@babel/core'
import { type ComponentType, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Plugin, runnerImport } from 'vite'

/** What src/ui/basics.tsx exports. */
type Ui = Record<string, unknown>
type Component = ComponentType<Record<string, unknown>>

let ui: Ui = {}

/**
 * Writes the classes of constant styles into the code, so that the browser does not compute them at each rendering:
 * <Box p="4"> becomes <div className="p_4">. The components themselves say what they render. An element with a style that
 * is not constant stays as it is.
 */
export const staticStyles: Plugin = {
  name: 'static-styles',
  apply: 'build',
  enforce: 'pre',
  async buildStart() {
    const path = (folder: string) => fileURLToPath(new URL(`../${folder}`, import.meta.url))
    const alias = { '@': path('src'), 'styled-system': path('styled-system') }
    const { module } = await runnerImport<Ui>(path('src/ui/basics.tsx'), { configFile: false, resolve: { alias } })
    ui = module
  },
  transform: {
    filter: { id: /\/src\/.*\.tsx?$/, code: /'(@\/ui|\.\/basics|styled-system\/\w+)'/ },
    handler: (code, id) => withStaticStyles(ui, code, id),
  },
}

/** Returns code with the classes of its constant styles. */
export async function withStaticStyles(ui: Ui, code: string, filename: string) {
  const result = await transformAsync(code, {
    babelrc: false,
    configFile: false,
    filename,
    sourceMaps: true,
    parserOpts: { plugins: ['typescript', 'jsx'] },
    plugins: [classNames(ui)],
  })
  return result?.code ? { code: result.code, map: result.map } : null
}

const classNames = (ui: Ui): PluginObj => ({
  name: 'static-styles',
  visitor: {
    JSXElement(path) {
      const { openingElement, closingElement } = path.node
      const styled = styledComponent(ui, path.scope, openingElement.name)
      const element = styled && plainElement(styled, path.get('openingElement'))
      if (!element) return
      openingElement.name = types.jsxIdentifier(element.tag)
      if (closingElement) closingElement.name = types.jsxIdentifier(element.tag)
      openingElement.attributes = element.attributes
    },
    CallExpression(path) {
      const { callee } = path.node
      if (!types.isIdentifier(callee) || importedName(path.scope, callee.name) !== 'css') return
      const styles = path.get('arguments').map((style) => style.evaluate())
      if (!styles.every(({ confident }) => confident)) return
      const css = ui.css as (...styles: unknown[]) => string
      path.replaceWith(types.stringLiteral(css(...styles.map(({ value }) => value))))
    },
  },
})

type Scope = NodePath['scope']

interface Styled {
  component: Component
  /** The name of its element, where a property does not change it. */
  tag: string | undefined
}

function styledComponent(ui: Ui, scope: Scope, name: types.JSXOpeningElement['name']): Styled | undefined {
  if (types.isJSXMemberExpression(name)) {
    const isElement = types.isJSXIdentifier(name.object) && importedName(scope, name.object.name) === 'styled'
    return isElement ? styledOf((ui.styled as Ui)[name.property.name]) : undefined
  }
  if (!types.isJSXIdentifier(name)) return
  return styledOf(ui[importedName(scope, name.name) ?? '']) ?? definedHere(ui, scope, name.name)
}

// Components that are functions use hooks, and those of other components may do so.
function styledOf(component: unknown): Styled | undefined {
  if (typeof component !== 'object' || component === null) return
  if ('__base__' in component && typeof component.__base__ !== 'string') return
  return { component: component as Component, tag: tagOf(component as Component) }
}

// A component of the same file: const Row = styled('li', { … }).
function definedHere(ui: Ui, scope: Scope, name: string): Styled | undefined {
  const declaration = scope.getBinding(name)?.path
  const call = declaration?.isVariableDeclarator() ? declaration.get('init') : undefined
  if (!call?.isCallExpression() || !call.get('callee').isIdentifier({ name: 'styled' })) return
  const [base, ...rest] = call.get('arguments')
  const options = rest.map((option) => option.evaluate())
  if (!base || !options.every(({ confident }) => confident)) return
  const styled = (element: unknown) =>
    (ui.styled as (...args: unknown[]) => unknown)(element, ...options.map(({ value }) => value))
  if (base.isStringLiteral()) return styledOf(styled(base.node.value))
  if (!base.isIdentifier()) return
  const imported = styledOf(ui[importedName(scope, base.node.name) ?? ''])
  if (imported) return styledOf(styled(imported.component))
  // A link of the router takes what an <a> takes.
  const { parent } = scope.getBinding(base.node.name)?.path ?? {}
  const isLink = types.isImportDeclaration(parent) && parent.source.value === 'react-router'
  return isLink ? { component: styled('a') as Component, tag: base.node.name } : undefined
}

// Returns the name under which ui or Panda exports what has a name in a file.
function importedName(scope: Scope, name: string): string | undefined {
  const binding = scope.getBinding(name)?.path
  if (!binding?.isImportSpecifier()) return
  const { source } = binding.parent as types.ImportDeclaration
  const { imported } = binding.node
  if (!/^(@\/ui|\.\/basics|styled-system\/(css|jsx))$/.test(source.value)) return
  return types.isIdentifier(imported) ? imported.name : undefined
}

// Returns the element that a component with constant styles renders, with what is not a style as it is written.
function plainElement({ component, tag }: Styled, path: NodePath<types.JSXOpeningElement>) {
  const given: Record<string, unknown> = {}
  const attributes: types.JSXAttribute[] = []
  for (const attribute of path.get('attributes')) {
    if (!attribute.isJSXAttribute() || !types.isJSXIdentifier(attribute.node.name)) return
    const { name } = attribute.node.name
    if (name === 'ref' || name === 'key' || isForwarded(component, name)) {
      attributes.push(attribute.node)
      continue
    }
    const { confident, value } = constantOf(attribute)
    if (!confident) return
    given[name] = value
  }
  const { as: element = tag, ...styles } = given
  if (typeof element !== 'string') return
  const { children, ...rendered } = render(component, styles)
  for (const [name, value] of Object.entries(rendered)) {
    if (value) attributes.push(textAttribute(name, String(value)))
  }
  return { tag: element, attributes }
}

function constantOf(attribute: NodePath<types.JSXAttribute>): { confident: boolean; value: unknown } {
  const value = attribute.get('value')
  if (value.isJSXExpressionContainer()) return value.get('expression').evaluate()
  return { confident: true, value: value.isStringLiteral() ? value.node.value : true }
}

const textAttribute = (name: string, text: string) =>
  types.jsxAttribute(types.jsxIdentifier(name), types.jsxExpressionContainer(types.stringLiteral(text)))

// Returns the properties that a component gives to its element.
function render(component: Component, props: Record<string, unknown>): Record<string, unknown> {
  let given = {}
  const Element = (props: object) => {
    given = props
    return null
  }
  renderToStaticMarkup(createElement(component, { ...props, as: Element }))
  return given
}

const isForwarded = (component: Component, name: string) =>
  !['as', 'className'].includes(name) && name in render(component, { [name]: 'x' })

const tagOf = (component: Component) => /^<([\w-]+)/.exec(renderToStaticMarkup(createElement(component)))?.[1]
