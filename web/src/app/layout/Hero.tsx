import { memo, useId } from 'react'
import { css } from 'styled-system/css'
import { styled } from 'styled-system/jsx'
import { config } from '@/config'
import { Container, Text } from '@/ui'

const Banner = styled('section', {
  base: { position: 'relative', overflow: 'hidden', flexShrink: 0, bg: 'scene.skyBottom' },
  variants: {
    tall: { true: { h: { base: '180px', md: '260px' } }, false: { h: { base: '104px', md: '136px' } } },
  },
})

// The parts of the drawing that are placed by the width and the height of the banner.
const styles = {
  scene: css({ position: 'absolute', inset: '0', w: 'full', h: 'full' }),
  stars: css({ fill: 'white', opacity: 0.7, _light: { opacity: 0 } }),
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

const fill = {
  ball: css({ fill: 'scene.ball' }),
  far: css({ fill: 'scene.far' }),
  flag: css({ fill: 'scene.flag' }),
  ground: css({ fill: 'scene.ground' }),
  middle: css({ fill: 'scene.middle' }),
  near: css({ fill: 'scene.near' }),
  sun: css({ fill: 'scene.sun' }),
  zone: css({ fill: 'scene.zone' }),
}

const stop = {
  glow: css({ stopColor: 'token(colors.scene.glow)' }),
  skyBottom: css({ stopColor: 'token(colors.scene.skyBottom)' }),
  skyTop: css({ stopColor: 'token(colors.scene.skyTop)' }),
  zone: css({ stopColor: 'token(colors.scene.zone)' }),
}

/** The drawn banner of every page: a course of platforms towards the cap zone, by day or by night. */
export const Hero = memo(function Hero({ tall }: { tall: boolean }) {
  return (
    <Banner tall={tall} data-tall={tall} aria-label="Banner">
      <Scene />
      <Container position="relative" display="flex" alignItems="center" h="full">
        {tall ? (
          <Text {...slogan} maxW={{ base: '7rem', md: '40%' }} fontSize={{ base: '2xl', md: '5xl' }}>
            {config.slogan}
          </Text>
        ) : (
          <Text {...slogan} maxW={{ base: '7rem', md: '40%' }} fontSize={{ base: 'xl', md: '3xl' }}>
            {config.slogan}
          </Text>
        )}
      </Container>
    </Banner>
  )
})

const slogan = { color: 'scene.ink', fontFamily: 'heading', fontWeight: 'bold', lineHeight: '1.05' } as const

// Plain elements, because every page renders them before its own content.
function Scene() {
  const id = useId()
  return (
    <svg className={styles.scene} viewBox="0 0 1440 260" preserveAspectRatio="xMaxYMax slice" aria-hidden="true">
      <defs>
        <linearGradient id={`${id}sky`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={stop.skyTop} />
          <stop offset="1" className={stop.skyBottom} />
        </linearGradient>
        <radialGradient id={`${id}glow`}>
          <stop offset="0" className={stop.glow} stopOpacity="0.85" />
          <stop offset="1" className={stop.glow} stopOpacity="0" />
        </radialGradient>
        <linearGradient id={`${id}zone`} x1="0" y1="1" x2="0" y2="0">
          <stop offset="0" className={stop.zone} stopOpacity="0.75" />
          <stop offset="1" className={stop.zone} stopOpacity="0" />
        </linearGradient>
      </defs>
      <rect width="1440" height="260" fill={`url(#${id}sky)`} />
      <Stars />
      <g className={styles.sun}>
        <circle cx="960" cy="150" r="190" fill={`url(#${id}glow)`} />
        <circle cx="960" cy="150" r="46" className={fill.sun} />
      </g>
      <path
        className={fill.far}
        d="M0 196l90-38 80 26 120-64 110 60 90-28 120 52 110-74 130 58 90-40 120 62 100-34 140 52 140-44v136H0z"
      />
      <path
        className={fill.middle}
        d="M0 224l140-34 110 22 130-40 150 46 120-26 160 34 130-46 150 40 140-28 210 44v60H0z"
      />
      <g className={styles.course}>
        <Platforms />
        <Jumps />
        {/* The cap zone, and its flag. */}
        <rect x="1296" y="88" width="112" height="94" fill={`url(#${id}zone)`} />
        <path d="M1352 182V104" stroke="white" strokeWidth="4" strokeLinecap="round" />
        <path d="M1354 106h38l-9 12 9 12h-38z" className={fill.flag} />
      </g>
      <path className={fill.ground} d="M0 250q120-16 260-6t300-4 320 8 280-8 280 8v12H0z" />
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
      <rect x={x} y={y} width={width} height="12" rx="6" className={fill.near} />
      <rect x={x + 6} y={y + 1} width={width - 12} height="3" rx="1.5" className={fill.zone} opacity="0.55" />
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
      <circle cx="1180" cy="82" r="17" className={fill.ball} />
      <path d="M1165 90a17 17 0 0 0 30 0 22 22 0 0 1-30 0z" fill="#000" opacity="0.2" />
      <ellipse cx="1174" cy="73" rx="6" ry="3.5" fill="#fff" opacity="0.5" transform="rotate(-28 1174 73)" />
    </>
  )
}

function Stars() {
  const stars = [
    [80, 40],
    [210, 84],
    [330, 30],
    [470, 70],
    [590, 26],
    [700, 92],
    [800, 40],
    [1090, 34],
    [1260, 60],
    [1390, 28],
  ] as const
  return (
    <g className={styles.stars}>
      {stars.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r={x % 3 === 0 ? 1.8 : 1.1} />
      ))}
    </g>
  )
}
