import { serializeStyles } from '@emotion/serialize'
import { compile, serialize, stringify } from 'stylis'
import { theSystem } from './system'

// themeSheet writes the theme as a style sheet: the order of the layers, Chakra's reset, what holds for the whole page, and
// every token as a variable. It is written while the site is built (vite.config.ts), so that no browser has to.
export function themeSheet(): string {
  const { layers, getPreflightCss, getGlobalCss, getTokenCss } = theSystem()
  const parts = [getPreflightCss(), getGlobalCss(), getTokenCss()]
  const rules = parts.map((part) => serialize(compile(serializeStyles([part]).styles), stringify))
  return [layers.atRule, ...rules].join('\n')
}
