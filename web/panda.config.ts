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
    // Panda would set the thirty variables of its filters and transforms on every element. The site uses none of them.
    'config:resolved': ({ config, utils }) => utils.omit(config, ['globalCss.*, ::before, ::after, ::backdrop']),
  },
  theme: { extend: capzoneTheme },
  // Panda follows variants to the tags of a recipe, and not through the components that pass them on.
  // The palettes of badges come from records of them, which Panda does not follow either.
  staticCss: {
    css: [{ properties: { colorPalette: ['blue', 'brand', 'gray', 'green', 'purple', 'red', 'yellow'] } }],
    recipes: { badge: ['*'], button: ['*'], input: ['*'], link: ['*'] },
  },
})
