import { type PluginObj, transformAsync, types } from '@babel/core'
import macros from '@lingui/babel-plugin-lingui-macro'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/**
 * Replaces Lingui's macros by calls with the English sentence in compiled form, so that English needs no catalogue and no
 * compiler in the browser. The catalogue of another locale takes precedence by the id of a sentence.
 */
export const linguiMacros: Plugin = {
  name: 'lingui-macros',
  enforce: 'pre',
  transform: {
    filter: { id: { include: /\/src\/.*\.tsx?$/ }, code: '/macro' },
    async handler(code, id) {
      const result = await transformAsync(code, {
        babelrc: false,
        configFile: false,
        filename: id,
        sourceMaps: true,
        parserOpts: { plugins: ['typescript', 'jsx'] },
        // Otherwise the macros leave the sentences out of production builds.
        plugins: [[macros, { extract: true }], compiledMessages],
      })
      return result?.code ? { code: result.code, map: result.map } : null
    },
  },
}

// What a translator needs besides the sentence stays in the catalogue.
const FOR_TRANSLATORS = ['comment', 'context']

// isCallOfTranslate reports whether a node is i18n._(…), to which the macro t is expanded.
const isCallOfTranslate = (node: types.Node) =>
  types.isCallExpression(node) &&
  types.isMemberExpression(node.callee) &&
  types.isIdentifier(node.callee.property, { name: '_' })

// Compiles the message of each object that the macros have marked by a comment.
const compiledMessages: PluginObj = {
  name: 'compiled-messages',
  visitor: {
    ObjectExpression(path) {
      const { node } = path
      if (!node.leadingComments?.some(({ value }) => value === 'i18n')) return
      if (isCallOfTranslate(path.parent) && !path.getFunctionParent()) {
        throw path.buildCodeFrameError('Here t is read before a locale is active: use msg, or a function.')
      }
      const name = (property: types.Node) =>
        types.isObjectProperty(property) && types.isIdentifier(property.key) ? property.key.name : ''
      node.properties = node.properties.filter((property) => !FOR_TRANSLATORS.includes(name(property)))
      for (const property of node.properties) {
        if (name(property) !== 'message' || !types.isObjectProperty(property)) continue
        if (types.isStringLiteral(property.value))
          property.value = types.valueToNode(compileMessage(property.value.value))
      }
    },
  },
}
