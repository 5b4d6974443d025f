import { createSystem, defineConfig, type SystemContext } from '@chakra-ui/react'
import { defaultBaseConfig } from '@chakra-ui/react/preset-base'
import {
  animationStyles,
  breakpoints,
  buttonRecipe,
  collapsibleSlotRecipe,
  dialogSlotRecipe,
  drawerSlotRecipe,
  fieldSlotRecipe,
  fileUploadSlotRecipe,
  inputRecipe,
  keyframes,
  layerStyles,
  menuSlotRecipe,
  popoverSlotRecipe,
  progressSlotRecipe,
  semanticTokens,
  spinnerRecipe,
  textareaRecipe,
  textStyles,
  toastSlotRecipe,
  tokens,
} from '@chakra-ui/react/theme'
import { capzoneTheme } from './theme'

// Chakra's own theme with the recipes of the components that come from @chakra-ui/react. The others stay out of the
// download; a component whose recipe is missing renders unstyled.
const chakraConfig = defineConfig({
  theme: {
    breakpoints,
    keyframes,
    tokens,
    semanticTokens,
    recipes: {
      button: buttonRecipe,
      input: inputRecipe,
      spinner: spinnerRecipe,
      textarea: textareaRecipe,
    },
    slotRecipes: {
      collapsible: collapsibleSlotRecipe,
      dialog: dialogSlotRecipe,
      drawer: drawerSlotRecipe,
      field: fieldSlotRecipe,
      fileUpload: fileUploadSlotRecipe,
      menu: menuSlotRecipe,
      popover: popoverSlotRecipe,
      progress: progressSlotRecipe,
      toast: toastSlotRecipe,
    },
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
