import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { memo, useId } from 'react'
import { config } from '@/config'
import { serverText } from '@/locales'
import { Container, css, styled, Text } from '@/ui'

const Banner = styled('section', {
  base: { position: 'relative', overflow: 'hidden', flexShrink: 0, bg: 'scene.skyBottom' },
  variants: {
    tall: { true: { h: { base: '180px', md: '260px' } }, false: { h: { base: '104px', md: '136px' } } },
  },
})

const Slogan = styled(Text, {
  base: {
    maxW: { base: '7rem', md: '40%' },
    color: 'scene.ink',
    fontFamily: 'heading',
    fontWeight: 'bold',
    lineHeight: '1.05',
  },
  variants: {
    tall: { true: { fontSize: { base: '2xl', md: '5xl' } }, false: { fontSize: { base: 'xl', md: '3xl' } } },
  },
})

// The parts of the drawing that depend on the colour mode and on the width and the height of the banner.
const styles = {
  scene: css({ position: 'absolute', inset: '0', w: 'full', h: 'full' }),
  stars: css({ opacity: 0.7, _light: { opacity: 0 } }),
  // On narrow screens the sun is clear of the slogan; a low banner shows the lower half of the sky alone.
  sun: css({
    '[data-tall=true] &': { lgDown: { transform: 'translate(150px, -20px)' } },
    '[data-tall=false] &': { lg: { transform: 'translate(0, 34px)' } },
  }),
  // In a low or narrow banner the course is smaller, so that more of it is visible.
  course: css({
    '[data-tall=true] &': { mdDown: { transform: 'translate(288px, 52px) scale(0.8)' } },
    '[data-tall=false] &': { md: { transform: 'translate(648px, 117px) scale(0.55)' } },
  }),
  approach: css({ mdDown: { display: 'none' }, '[data-tall=true] &': { xlDown: { display: 'none' } } }),
}

/** Returns a colour of the scene, which the theme has for day and night. */
const color = (name: string) => `var(--chakra-colors-scene-${name})`

/** The drawn banner of every page: a course of platforms towards the cap zone, by day or by night. */
export const Hero = memo(function Hero({ tall }: { tall: boolean }) {
  useLingui()
  return (
    <Banner tall={tall} data-tall={tall} aria-label={t`Banner`}>
      <Scene />
      <Container position="relative" display="flex" alignItems="center" h="full">
        <Slogan tall={tall}>{serverText(['config.slogan'], config.slogan)}</Slogan>
      </Container>
    </Banner>
  )
})

// Plain elements, because every page renders them before its own content.
function Scene() {
  const id = useId()
  return (
    <svg className={styles.scene} viewBox="0 0 1440 260" preserveAspectRatio="xMaxYMax slice" aria-hidden="true">
      <defs>
        <linearGradient id={`${id}sky`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={color('sky-top')} />
          <stop offset="1" stopColor={color('sky-bottom')} />
        </linearGradient>
        <radialGradient id={`${id}glow`}>
          <stop offset="0" stopColor={color('glow')} stopOpacity="0.85" />
          <stop offset="1" stopColor={color('glow')} stopOpacity="0" />
        </radialGradient>
        <linearGradient id={`${id}zone`} x1="0" y1="1" x2="0" y2="0">
          <stop offset="0" stopColor={color('zone')} stopOpacity="0.75" />
          <stop offset="1" stopColor={color('zone')} stopOpacity="0" />
        </linearGradient>
      </defs>
      <rect width="1440" height="260" fill={`url(#${id}sky)`} />
      <path
        className={styles.stars}
        d="M80 40h0M210 84h0M330 30h0M470 70h0M590 26h0M700 92h0M800 40h0M1090 34h0M1260 60h0M1390 28h0"
        stroke="white"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <g className={styles.sun}>
        <circle cx="960" cy="150" r="190" fill={`url(#${id}glow)`} />
        <circle cx="960" cy="150" r="46" fill={color('sun')} />
      </g>
      <path
        fill={color('far')}
        d="M0 196l90-38 80 26 120-64 110 60 90-28 120 52 110-74 130 58 90-40 120 62 100-34 140 52 140-44v136H0z"
      />
      <path
        fill={color('middle')}
        d="M0 224l140-34 110 22 130-40 150 46 120-26 160 34 130-46 150 40 140-28 210 44v60H0z"
      />
      <g className={styles.course}>
        <Platforms />
        <Jumps />
        {/* The cap zone, and its flag. */}
        <rect x="1296" y="88" width="112" height="94" fill={`url(#${id}zone)`} />
        <path d="M1352 182V104" stroke="white" strokeWidth="4" strokeLinecap="round" />
        <path d="M1354 106h38l-9 12 9 12h-38z" fill={color('flag')} />
      </g>
      <path fill={color('ground')} d="M0 250q120-16 260-6t300-4 320 8 280-8 280 8v12H0z" />
    </svg>
  )
}

// The platforms, on the grid of the banner.
function Platforms() {
  const platforms: [x: number, y: number, width: number][] = [
    [640, 206, 130],
    [830, 170, 96],
    [1010, 190, 84],
    [1150, 140, 70],
    [1280, 182, 144],
  ]
  return platforms.map(([x, y, width]) => (
    <g key={x} className={x < 1000 ? styles.approach : undefined}>
      <rect x={x} y={y} width={width} height="12" rx="6" fill={color('near')} />
      <rect x={x + 6} y={y + 1} width={width - 12} height="3" rx="1.5" fill={color('zone')} opacity="0.55" />
    </g>
  ))
}

// The jumps from platform to platform, the ball at its highest, and the rope of its grapple.
function Jumps() {
  return (
    <>
      <g fill="none" stroke="white" strokeWidth="3.5" strokeDasharray="1 11" strokeLinecap="round" opacity="0.85">
        <path className={styles.approach} d="M668 192Q760 96 872 156Q950 108 1046 176" />
        <path d="M1046 176Q1080 84 1180 78" />
      </g>
      <path d="M1180 78L1224 4" stroke="white" strokeWidth="2" opacity="0.7" />
      <circle cx="1180" cy="82" r="17" fill={color('ball')} />
      <path d="M1165 90a17 17 0 0 0 30 0 22 22 0 0 1-30 0z" fill="#000" opacity="0.2" />
      <ellipse cx="1174" cy="73" rx="6" ry="3.5" fill="#fff" opacity="0.5" transform="rotate(-28 1174 73)" />
    </>
  )
}
