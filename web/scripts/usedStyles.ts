import { readdirSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Shortens Panda's lists of style properties and conditions to those that the sources name: it reads styles from nowhere
 * else. All of them are 6 KB of every page.
 */
export const usedStyles: Plugin = {
  name: 'used-styles',
  apply: 'build',
  transform: {
    filter: { id: /\/styled-system\/(css\/(conditions|css)|jsx\/is-valid-prop)\.mjs$/ },
    handler: (code) => ({ code: code.replace(/"[^"\s]{200,}"/g, withoutUnused), map: null }),
  },
}

const words = new Set(['src', 'styled-system/patterns'].flatMap(wordsIn))

function wordsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.(mjs|tsx?)$/.test(file))
    .flatMap((file) => readFileSync(`${folder}/${file}`, 'utf8').match(/\w+/g) ?? [])
}

// An entry of a list is a name, or a property with its class and its short forms, such as "paddingLeft:pl/1": 1 says that
// the class is a short form, too.
const withoutUnused = (list: string): string =>
  `"${list
    .slice(1, -1)
    .split(',')
    .filter((entry) => entry.split(/[:/]/).some((name) => name !== '1' && words.has(name)))
    .join(',')}"`
