import chakraPreset from '@chakra-ui/panda-preset'
import { defineConfig } from '@pandacss/dev'
import { capzoneTheme, globalCss } from './src/ui/theme/theme'

// Writes the styled-system folder (npm run codegen) and the site's style sheet (through PostCSS) from Chakra's preset
// and the site's own theme.
export default defineConfig({
  presets: [chakraPreset],
  preflight: true,
  prefix: { cssVar: 'chakra' },
  jsxFramework: 'react',
  include: ['./src/**/*.{ts,tsx}'],
  exclude: ['./src/**/*.test.{ts,tsx}'],
  outdir: 'styled-system',
  // Panda reads the styles of what is imported from here.
  importMap: ['styled-system', { css: '@/ui', jsx: '@/ui' }],
  globalCss,
  hooks: {
    // What the presets have and the site does not use, and Panda would write into the style sheet.
    'config:resolved': ({ config, utils }) =>
      utils.omit(config, [
        // They set sixty variables on every element. Those that the reset reads are in globalCss.
        'globalCss.*',
        'globalCss.*, ::before, ::after, ::backdrop',
        // Components of the site have the names of these recipes.
        'theme.slotRecipes.avatar',
        'theme.slotRecipes.card',
        'theme.slotRecipes.select',
        'theme.slotRecipes.steps',
        'theme.tokens.colors.cyan',
        'theme.tokens.colors.pink',
        'theme.tokens.colors.teal',
        'theme.semanticTokens.colors.cyan',
        'theme.semanticTokens.colors.pink',
        'theme.semanticTokens.colors.teal',
      ]),
  },
  // A telephone of 320 px, and wider ones with larger letters.
  conditions: { extend: { narrowest: '@media (max-width: 22.4rem)' } },
  theme: { extend: capzoneTheme },
  // Panda follows variants to the tags of a recipe, and not through the components that pass them on.
  // The palettes of badges come from records of them, which Panda does not follow either.
  staticCss: {
    css: [{ properties: { colorPalette: ['blue', 'brand', 'gray', 'green', 'purple', 'red', 'yellow'] } }],
    recipes: { badge: ['*'], button: ['*'], input: ['*'], link: ['*'] },
  },
})
