const systemFonts = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif, "Apple Color Emoji", "Segoe UI Emoji"'

/** The game's modes with the names of their colours. */
export const MODE_TOKENS = {
  Classic: 'classic',
  Grapple: 'grapple',
  VTOL: 'vtol',
  Arrows: 'arrows',
  'Death Arrows': 'deathArrows',
  Simple: 'simple',
} as const

/**
 * Capzone's look: sand and paper by day, deep water by night, one aqua accent and a warm sun. Panda writes it into the
 * site's style sheet (panda.config.ts).
 */
export const capzoneTheme = {
  keyframes: {
    confetti: {
      '0%': { opacity: 1, transform: 'translateY(0) rotate(0)' },
      '100%': { opacity: 0, transform: 'translateY(24rem) rotate(540deg)' },
    },
    // The ball of a course on its way: straight on, while it jumps in parabolas.
    courseWay: { from: { left: 'var(--from-x)', top: 'var(--from-y)' } },
    courseJump: {
      '0%': { translate: '0 0', animationTimingFunction: 'cubic-bezier(0.333, 0.667, 0.667, 1)' },
      '50%': { translate: '0 var(--jump)', animationTimingFunction: 'cubic-bezier(0.333, 0, 0.667, 0.333)' },
      '100%': { translate: '0 0' },
    },
    coursePlanted: { from: { transform: 'scaleY(0)' }, '60%': { transform: 'scaleY(1.25)' } },
    coursePassed: { '40%': { transform: 'scale(1.5)' } },
    // A digit of a time that counts from another one.
    roll: { from: { translate: '0 var(--from)' } },
  },
  tokens: {
    fonts: {
      heading: { value: `"Saira Semi Condensed", "Saira Fallback", ${systemFonts}` },
      body: { value: `"Figtree Variable", "Figtree Fallback", ${systemFonts}` },
    },
    colors: {
      gray: scale('#f6f8f8 #e9eeef #d5dee1 #b4c2c8 #8798a1 #63757f #495a64 #33424b #212d35 #172027 #0e151b'),
      brand: scale('#e5f9fa #c2f0f3 #8ee2e8 #52cdd8 #28b3c1 #1496a4 #0e7885 #0d5f6a #114c55 #113f47 #062a31'),
      sand: scale('#faf8f3 #f3efe6 #e7e0d2 #d5cab5 #b8a98c #978768 #776950 #5a5040 #3f3930 #2a2722 #171613'),
      sun: scale('#fff6e5 #ffe7bd #ffd083 #ffb84d #f59e24 #d9800f #b0620b #8a4a0e #6e3c13 #5b3313 #331a06'),
    },
  },
  semanticTokens: {
    radii: {
      l1: { value: '6px' },
      l2: { value: '10px' },
      l3: { value: '16px' },
    },
    colors: {
      bg: {
        DEFAULT: { value: { _light: '{colors.sand.50}', _dark: '{colors.gray.950}' } },
        subtle: { value: { _light: '{colors.sand.100}', _dark: '{colors.gray.900}' } },
        muted: { value: { _light: '{colors.sand.100}', _dark: '{colors.gray.800}' } },
        emphasized: { value: { _light: '{colors.sand.200}', _dark: '{colors.gray.700}' } },
        panel: { value: { _light: '#fffefb', _dark: '{colors.gray.900}' } },
      },
      fg: {
        DEFAULT: { value: { _light: '{colors.gray.950}', _dark: '{colors.gray.50}' } },
        muted: { value: { _light: '{colors.gray.600}', _dark: '{colors.gray.300}' } },
        subtle: { value: { _light: '#586a74', _dark: '{colors.gray.400}' } },
        error: { value: { _light: '{colors.red.700}', _dark: '{colors.red.300}' } },
      },
      border: {
        DEFAULT: { value: { _light: '{colors.sand.200}', _dark: '{colors.gray.800}' } },
        emphasized: { value: { _light: '{colors.sand.300}', _dark: '{colors.gray.700}' } },
      },
      brand: {
        solid: { value: { _light: '{colors.brand.700}', _dark: '{colors.brand.300}' } },
        contrast: { value: { _light: 'white', _dark: '{colors.gray.950}' } },
        fg: { value: { _light: '{colors.brand.700}', _dark: '{colors.brand.300}' } },
        muted: { value: { _light: '{colors.brand.100}', _dark: '{colors.brand.900}' } },
        subtle: { value: { _light: '{colors.brand.50}', _dark: '{colors.brand.950}' } },
        emphasized: { value: { _light: '{colors.brand.200}', _dark: '{colors.brand.800}' } },
        focusRing: { value: { _light: '{colors.brand.600}', _dark: '{colors.brand.300}' } },
        border: { value: { _light: '{colors.brand.300}', _dark: '{colors.brand.800}' } },
      },
      // The sun is for what is first, and for nothing else.
      first: {
        fg: { value: { _light: '{colors.sun.800}', _dark: '{colors.sun.300}' } },
        skyTop: { value: { _light: '{colors.sun.300}', _dark: '{colors.sun.950}' } },
        skyBottom: { value: { _light: '{colors.sun.100}', _dark: '{colors.sun.800}' } },
      },
      // The game's modes, each in a quiet hue that is neither aqua, the sun's nor a medal's.
      mode: {
        classic: hue('#2f4f8f #e3ebfa', '#a9c4f5 #1c2a45'),
        grapple: hue('#2d6136 #e0f0df', '#a8d5a2 #1c3323'),
        vtol: hue('#5b3f9e #ece5fb', '#cdb7f6 #2d2447'),
        arrows: hue('#8f3160 #fae3ee', '#f0b3cf #40202f'),
        deathArrows: hue('#93382a #fae4de', '#f3b0a2 #45221c'),
        simple: hue('#5a5547 #ece8dd', '#c9c5bb #33312c'),
      },
      // Chakra's own value is the background of a panel.
      gray: { subtle: { value: { _light: '{colors.gray.100}', _dark: '{colors.gray.800}' } } },
      // Dark enough for the white text of a toast.
      green: { solid: { value: { _light: '{colors.green.700}', _dark: '{colors.green.700}' } } },
      orange: { solid: { value: { _light: '{colors.orange.700}', _dark: '{colors.orange.500}' } } },
      // The drawn scene of the banner.
      scene: {
        ink: { value: { _light: '{colors.gray.950}', _dark: 'white' } },
        skyTop: { value: { _light: '#8fd3e8', _dark: '#0b1f33' } },
        skyBottom: { value: { _light: '#fde7c3', _dark: '#2b4a63' } },
        glow: { value: { _light: '#fff3d6', _dark: '#f2a65a' } },
        haze: { value: { _light: '#fff3d699', _dark: '#f2a65a4d' } },
        sun: { value: { _light: '#ffc65c', _dark: '#ffcf8a' } },
        far: { value: { _light: '#7fbccb', _dark: '#1d3a52' } },
        middle: { value: { _light: '#3f93a6', _dark: '#142c40' } },
        near: { value: { _light: '#1b5a68', _dark: '#0a1824' } },
        ground: { value: { _light: '#0f3f4a', _dark: '#0e151b' } },
        ball: { value: { _light: '#f0772b', _dark: '#ffa53d' } },
        flag: { value: { _light: '#f0772b', _dark: '#ffb84d' } },
        zone: { value: { _light: '#e8fbff', _dark: '#52cdd8' } },
      },
      // The medals' colours, as the specification names them.
      medal: {
        author: { value: { _light: '{colors.green.700}', _dark: '{colors.green.300}' } },
        gold: { value: { _light: '#8a6200', _dark: '#ffd24a' } },
        silver: { value: { _light: '#56636b', _dark: '#c3ced5' } },
        bronze: { value: { _light: '#a1480f', _dark: '#f0954f' } },
      },
    },
    shadows: {
      card: {
        value: {
          _light: '0 1px 2px rgb(60 50 30 / 0.08), 0 4px 16px -6px rgb(60 50 30 / 0.14)',
          _dark: '0 1px 2px rgb(0 0 0 / 0.5), 0 8px 20px -10px rgb(0 0 0 / 0.6)',
        },
      },
    },
  },
}

const modeStyles = Object.fromEntries(
  Object.entries(MODE_TOKENS).map(([mode, name]) => [
    `[data-mode="${mode}"]`,
    { background: `mode.${name}.subtle`, color: `mode.${name}.fg` },
  ]),
)

/** Styles of the whole page. */
export const globalCss = {
  ...modeStyles,
  html: {
    colorPalette: 'brand',
    scrollPaddingTop: '5rem',
    textSizeAdjust: '100%',
    '--global-font-mono': 'fonts.mono',
    '--global-font-body': 'fonts.body',
    '--global-color-border': 'colors.border',
  },
  // They cannot be pressed.
  '.badge, .code': { colorPalette: 'gray' },
  body: { fontFamily: 'body' },
  // The reset's break-word would keep a paragraph as wide as its longest word.
  'body, p': { overflowWrap: 'anywhere' },
  'h1, h2, h3': { textWrap: 'balance' },
  // A dialog that closes does not take the clicks any more.
  '[data-part=backdrop][data-state=closed]': { pointerEvents: 'none' },
  // Here, because in components these long values would be in the code of every page.
  '.sky': {
    position: 'relative',
    isolation: 'isolate',
    backgroundImage:
      'radial-gradient(circle at 100% 60%, {colors.scene.haze}, transparent 60%), linear-gradient({colors.scene.skyTop}, {colors.scene.skyBottom})',
  },
  '.sky[data-first]': {
    backgroundImage:
      'radial-gradient(circle at 85% 70%, {colors.scene.haze}, transparent 70%), linear-gradient({colors.first.skyTop}, {colors.first.skyBottom})',
  },
  '.sky::before': {
    content: '""',
    position: 'absolute',
    inset: 'auto 0 0',
    zIndex: '-1',
    height: 'min(45%, 6.5rem)',
    background: 'scene.far',
    opacity: '0.7',
    clipPath:
      'polygon(0 62%, 9% 38%, 17% 55%, 28% 14%, 39% 58%, 49% 34%, 60% 66%, 72% 26%, 84% 62%, 93% 40%, 100% 54%, 100% 100%, 0 100%)',
  },
  '.stage': { overflow: 'hidden', color: 'fg' },
  '.stage::before': { content: 'none' },
  // Two ridges, the nearer of which is the ground of what stands on it.
  '.stage-ground': { position: 'relative', isolation: 'isolate', width: 'full', marginTop: 'auto' },
  '.stage-ground::before, .stage-ground::after': {
    content: '""',
    position: 'absolute',
    zIndex: '-1',
    insetInlineStart: 'calc(50% - 50vw)',
    width: '100vw',
    top: '-1.75rem',
    bottom: '-2rem',
    background: 'bg.panel',
    clipPath:
      'polygon(0 1.25rem, 12% 0.25rem, 26% 1.375rem, 41% 0, 57% 1.25rem, 73% 0.375rem, 88% 1.375rem, 100% 0.625rem, 100% 100%, 0 100%)',
  },
  '.stage-ground::before': {
    top: '-3.25rem',
    background: 'scene.far',
    clipPath:
      'polygon(0 0.5rem, 9% 2rem, 21% 0.375rem, 33% 1.875rem, 48% 0.625rem, 64% 2rem, 80% 0, 93% 1.75rem, 100% 1rem, 100% 100%, 0 100%)',
  },
  // What is in the picture can be pressed beside what stands before it.
  '.stage > :last-child': { position: 'relative', pointerEvents: 'none' },
  '.stage > :last-child > *': { pointerEvents: 'auto' },
  '.stage-picture': {
    position: 'absolute',
    inset: '0 0 auto',
    height: '17rem',
    // Where the page's content ends.
    '--picture-edge': { base: '1rem', md: '1.5rem', lg: 'clamp(2rem, 50vw - 43rem, 6.5rem)' },
  },
  '.stage-picture > div, .stage-picture > div > div': { height: 'full' },
  // Below the link back where both do not fit beside each other.
  '.stage-picture button': { top: { base: '14', sm: '4' }, bottom: 'auto' },
  // The colours of skyOf, and those of a second player on the other half.
  '.stage[data-tinted=true]': {
    '--chakra-colors-scene-sky-top': 'var(--night-top)',
    '--chakra-colors-scene-sky-bottom': 'var(--night-bottom)',
    '--chakra-colors-scene-far': 'var(--night-far)',
    backgroundImage:
      'radial-gradient(circle at 88% 100%, color-mix(in srgb, var(--sky-glow) 45%, transparent), transparent 40%), linear-gradient(90deg, transparent 30%, var(--sky-other, transparent) 70%), linear-gradient({colors.scene.skyTop}, {colors.scene.skyBottom})',
    '--sky-glow': 'var(--night-glow)',
    '--sky-other': 'var(--night-other, transparent)',
    _light: {
      '--chakra-colors-scene-sky-top': 'var(--day-top)',
      '--chakra-colors-scene-sky-bottom': 'var(--day-bottom)',
      '--chakra-colors-scene-far': 'var(--day-far)',
      '--sky-glow': 'var(--day-glow)',
      '--sky-other': 'var(--day-other, transparent)',
    },
  },
  // On wide screens the picture is beside the title, and the ground falls towards it.
  '.stage[data-picture=true]': {
    md: {
      '& .stage-picture': {
        inset: '0 max(0px, calc(50vw - 49.5rem)) 0 auto',
        width: 'min(60%, 46rem)',
        height: 'full',
        maskImage: 'linear-gradient(90deg, transparent, #000 40%)',
      },
      '& .stage-ground > *': { maxWidth: '52%' },
      '& .stage-ground::before': {
        clipPath:
          'polygon(0 0.5rem, 9% 2rem, 20% 0.375rem, 31% 1.875rem, 43% 0.625rem, 52% 2rem, 60% 34%, 69% 56%, 79% 60%, 90% 76%, 100% 66%, 100% 100%, 0 100%)',
      },
      '& .stage-ground::after': {
        clipPath:
          'polygon(0 1.25rem, 12% 0.25rem, 26% 1.375rem, 38% 0, 50% 1.25rem, 58% 34%, 66% 62%, 76% 74%, 86% 70%, 94% 84%, 100% 78%, 100% 100%, 0 100%)',
      },
    },
    '2xl': {
      // It fades where the page's content has ended.
      '& .stage-picture': {
        width: '50.5rem',
        maskImage: 'linear-gradient(90deg, transparent, #000 40%, #000 calc(100% - 4.5rem), transparent)',
      },
    },
  },
  'input[type=checkbox]': {
    appearance: 'none',
    display: 'grid',
    placeContent: 'center',
    flexShrink: '0',
    boxSize: '1.125rem',
    borderWidth: '1.5px',
    borderColor: 'fg.subtle',
    borderRadius: 'l1',
    background: 'bg.panel',
    cursor: 'pointer',
    focusVisibleRing: 'outside',
    _checked: { background: 'brand.solid', borderColor: 'brand.solid' },
    _disabled: { opacity: '0.5', cursor: 'not-allowed' },
    _before: {
      content: '""',
      boxSize: '0.6875rem',
      background: 'brand.contrast',
      clipPath: 'polygon(12% 45%, 0 60%, 42% 98%, 100% 18%, 85% 6%, 39% 70%)',
      transform: 'scale(0)',
    },
    '&:checked::before': { transform: 'none' },
  },
  '[data-bar]': {
    background: 'linear-gradient({colors.border.emphasized}, {colors.border.emphasized}) 0 100% / 0 3px no-repeat',
  },
  '*, *::before, *::after': {
    _motionReduce: {
      animationDuration: '0.01ms !important',
      animationIterationCount: '1 !important',
      transition: 'none !important',
      scrollBehavior: 'auto !important',
    },
  },
}

// A text and its background, by day and by night.
function hue(light: string, dark: string) {
  const [lightText = '', lightGround = ''] = light.split(' ')
  const [darkText = '', darkGround = ''] = dark.split(' ')
  return {
    fg: { value: { _light: lightText, _dark: darkText } },
    subtle: { value: { _light: lightGround, _dark: darkGround } },
  }
}

// Eleven colours from light to dark.
function scale(colours: string) {
  const steps = ['50', '100', '200', '300', '400', '500', '600', '700', '800', '900', '950']
  const values = colours.split(' ')
  return Object.fromEntries(steps.map((step, i) => [step, { value: values[i] ?? '' }]))
}
