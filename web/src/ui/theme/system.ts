import { createSystem, defineConfig, type SystemContext } from '@chakra-ui/react'
import { defaultBaseConfig } from '@chakra-ui/react/preset-base'
import {
  animationStyles,
  breakpoints,
  keyframes,
  layerStyles,
  semanticTokens,
  textStyles,
  tokens,
} from '@chakra-ui/react/theme'
import { recipes, slotRecipes } from './recipes'
import { capzoneTheme } from './theme'

// Chakra's own theme with the recipes that this site uses. The others stay out of the download.
const chakraConfig = defineConfig({
  theme: {
    breakpoints,
    keyframes,
    tokens,
    semanticTokens,
    recipes,
    slotRecipes,
    textStyles,
    layerStyles,
    animationStyles,
  },
})

let system: SystemContext | undefined

/**
 * Returns the theme of Chakra's components, created at the first call because that takes a while. Its style sheet is
 * Panda's: the variables, the reset and the styles of the page are in a file already.
 */
export function getSystem(): SystemContext {
  system ??= {
    ...createSystem(defaultBaseConfig, chakraConfig, defineConfig({ theme: capzoneTheme })),
    _global: [],
  }
  return system
}
