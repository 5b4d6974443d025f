import { useId } from 'react'
import { css } from 'styled-system/css'
import { Container, styled } from 'styled-system/jsx'
import { sceneColor } from '../basics'
import { InHero } from '../stage'

const Banner = styled('div', {
  base: {
    position: 'relative',
    overflow: 'hidden',
    h: { base: '150px', md: '200px' },
    bgImage: 'linear-gradient({colors.scene.skyTop}, {colors.scene.skyBottom})',
  },
})

const Slogan = styled('p', {
  base: {
    position: 'relative',
    maxW: { base: '7rem', md: '40%' },
    color: 'scene.ink',
    fontFamily: 'heading',
    fontWeight: 'bold',
    fontSize: { base: '2xl', md: '5xl' },
    lineHeight: '1.05',
  },
})

// The parts of the drawing that depend on the colour mode and on the width of the banner.
const styles = {
  // As wide as the banner.
  wide: css({ position: 'absolute', inset: '0', w: 'full', h: 'full' }),
  // As high as the banner, and ending where the page's columns end.
  columns: css({ position: 'absolute', insetEnd: { base: '0', md: '4' }, top: '0', h: 'full', overflow: 'visible' }),
  stars: css({ opacity: 0.7, _light: { opacity: 0 } }),
  // On narrow screens the sun is clear of the slogan, and the course is smaller, so that more of it is visible.
  sun: css({ lgDown: { transform: 'translate(150px, -20px)' } }),
  course: css({ mdDown: { transform: 'translate(288px, 52px) scale(0.8)' } }),
  approach: css({ xlDown: { display: 'none' } }),
}

/** The drawn hero: a course of platforms, by day or by night, on which the ball gets to the cap zone, or falls. */
export function Scene({ falls = false, slogan }: { falls?: boolean; slogan: string }) {
  return (
    <InHero>
      <Banner>
        <Container position="absolute" inset="0">
          <svg className={styles.columns} viewBox="560 0 880 260" aria-hidden="true">
            <Sky />
          </svg>
        </Container>
        <svg className={styles.wide} viewBox="0 0 1440 260" preserveAspectRatio="none" aria-hidden="true">
          <path
            fill={sceneColor('far')}
            d="M0 196l90-38 80 26 120-64 110 60 90-28 120 52 110-74 130 58 90-40 120 62 100-34 140 52 140-44v136H0z"
          />
          <path
            fill={sceneColor('middle')}
            d="M0 224l140-34 110 22 130-40 150 46 120-26 160 34 130-46 150 40 140-28 210 44v60H0z"
          />
          <path fill={sceneColor('ground')} d="M0 250q120-16 260-6t300-4 320 8 280-8 280 8v12H0z" />
        </svg>
        <Container position="relative" display="flex" alignItems="center" h="full">
          <svg className={styles.columns} viewBox="560 0 880 260" aria-hidden="true">
            <g className={styles.course}>
              <Platforms count={falls ? 4 : 5} />
              {falls ? <Fall /> : <Jumps />}
            </g>
          </svg>
          <Slogan>{slogan}</Slogan>
        </Container>
      </Banner>
    </InHero>
  )
}

function Sky() {
  const glow = useId()
  return (
    <>
      <radialGradient id={glow}>
        <stop offset="0" stopColor={sceneColor('glow')} stopOpacity="0.85" />
        <stop offset="1" stopColor={sceneColor('glow')} stopOpacity="0" />
      </radialGradient>
      <path
        className={styles.stars}
        d="M80 40h0M210 84h0M330 30h0M470 70h0M590 26h0M700 92h0M800 40h0M1090 34h0M1260 60h0M1390 28h0"
        stroke="white"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <g className={styles.sun}>
        <circle cx="960" cy="150" r="190" fill={`url(#${glow})`} />
        <circle cx="960" cy="150" r="46" fill={sceneColor('sun')} />
      </g>
    </>
  )
}

// The platforms on the way to the cap zone, which is on the last one.
function Platforms({ count }: { count: number }) {
  const platforms: [x: number, y: number, width: number][] = [
    [640, 206, 130],
    [830, 170, 96],
    [1010, 190, 84],
    [1150, 140, 70],
    [1280, 182, 144],
  ]
  return platforms.slice(0, count).map(([x, y, width]) => (
    <g key={x} className={x < 1000 ? styles.approach : undefined}>
      <rect x={x} y={y} width={width} height="12" rx="6" fill={sceneColor('near')} />
      <rect x={x + 6} y={y + 1} width={width - 12} height="3" rx="1.5" fill={sceneColor('zone')} opacity="0.55" />
    </g>
  ))
}

const dotted = {
  fill: 'none',
  stroke: 'white',
  strokeWidth: 3.5,
  strokeDasharray: '1 11',
  strokeLinecap: 'round',
  opacity: 0.85,
} as const

// The jumps from platform to platform, the ball at its highest with the rope of its grapple, and the cap zone.
function Jumps() {
  const zone = useId()
  return (
    <>
      <g {...dotted}>
        <path className={styles.approach} d="M668 192Q760 96 872 156Q950 108 1046 176" />
        <path d="M1046 176Q1080 84 1180 78" />
      </g>
      <path d="M1180 78L1224 4" stroke="white" strokeWidth="2" opacity="0.7" />
      <Ball x={1180} y={82} />
      <linearGradient id={zone} x1="0" y1="1" x2="0" y2="0">
        <stop offset="0" stopColor={sceneColor('zone')} stopOpacity="0.75" />
        <stop offset="1" stopColor={sceneColor('zone')} stopOpacity="0" />
      </linearGradient>
      <rect x="1296" y="88" width="112" height="94" fill={`url(#${zone})`} />
      <path d="M1352 182V104" stroke="white" strokeWidth="4" strokeLinecap="round" />
      <path d="M1354 106h38l-9 12 9 12h-38z" fill={sceneColor('flag')} />
    </>
  )
}

// The way over the last platform and down behind it.
function Fall() {
  return (
    <>
      <g {...dotted}>
        <path className={styles.approach} d="M668 192Q760 96 872 156Q950 108 1046 176" />
        <path d="M1046 176Q1086 40 1190 44Q1300 50 1318 206" />
      </g>
      <g className="fall">
        <Ball x={1320} y={222} />
      </g>
    </>
  )
}

function Ball({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle r="17" fill={sceneColor('ball')} />
      <path d="M-15 8a17 17 0 0 0 30 0 22 22 0 0 1-30 0z" fill="#000" opacity="0.2" />
      <ellipse cx="-6" cy="-9" rx="6" ry="3.5" fill="#fff" opacity="0.5" transform="rotate(-28 -6 -9)" />
    </g>
  )
}
