import { memo, useId } from 'react'
import { config } from '@/config'
import { cx } from '@/shared/lib/cx'
import styles from './Hero.module.css'

// Hero is the drawn banner of every page: a run over platforms towards the cap zone. By day in light mode, by night in
// dark mode; the colours are the theme's.
export const Hero = memo(function Hero({ tall }: { tall: boolean }) {
  return (
    <section className={cx(styles.hero, tall && styles.tall)} aria-label="Banner">
      <Scene />
      <div className={styles.front}>
        <p className={styles.slogan}>{config.slogan}</p>
      </div>
    </section>
  )
})

// The drawing is of plain elements, because every page pays for it before its own content.
function Scene() {
  const id = useId()
  return (
    <svg
      className={styles.scene}
      viewBox="0 0 1440 260"
      preserveAspectRatio="xMaxYMax slice"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id={`${id}sky`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" style={{ stopColor: ink('sky-top') }} />
          <stop offset="1" style={{ stopColor: ink('sky-bottom') }} />
        </linearGradient>
        <radialGradient id={`${id}glow`}>
          <stop offset="0" style={{ stopColor: ink('glow') }} stopOpacity="0.85" />
          <stop offset="1" style={{ stopColor: ink('glow') }} stopOpacity="0" />
        </radialGradient>
        <linearGradient id={`${id}zone`} x1="0" y1="1" x2="0" y2="0">
          <stop offset="0" style={{ stopColor: ink('zone') }} stopOpacity="0.75" />
          <stop offset="1" style={{ stopColor: ink('zone') }} stopOpacity="0" />
        </linearGradient>
      </defs>
      <rect width="1440" height="260" fill={`url(#${id}sky)`} />
      <Stars />
      {/* On narrow screens the sun stands clear of the slogan. */}
      <g className={styles.sun}>
        <circle cx="960" cy="150" r="190" fill={`url(#${id}glow)`} />
        <circle cx="960" cy="150" r="46" style={{ fill: ink('sun') }} />
      </g>
      <path
        style={{ fill: ink('far') }}
        d="M0 196l90-38 80 26 120-64 110 60 90-28 120 52 110-74 130 58 90-40 120 62 100-34 140 52 140-44v136H0z"
      />
      <path
        style={{ fill: ink('middle') }}
        d="M0 224l140-34 110 22 130-40 150 46 120-26 160 34 130-46 150 40 140-28 210 44v60H0z"
      />
      {/* In a low or narrow banner the course is drawn smaller, so that more of it is in view. */}
      <g className={styles.course}>
        <Platforms />
        <Run />
        {/* The cap zone, and its flag. */}
        <rect className={styles.zone} x="1296" y="88" width="112" height="94" fill={`url(#${id}zone)`} />
        <path d="M1352 182V104" stroke="white" strokeWidth="4" strokeLinecap="round" />
        <path d="M1354 106h38l-9 12 9 12h-38z" style={{ fill: ink('flag') }} />
      </g>
      <path style={{ fill: ink('ground') }} d="M0 250q120-16 260-6t300-4 320 8 280-8 280 8v12H0z" />
    </svg>
  )
}

// Where a runner lands, on a grid of the banner's own.
function Platforms() {
  const platforms: [x: number, y: number, width: number][] = [
    [640, 206, 130],
    [830, 170, 96],
    [1010, 190, 84],
    [1150, 140, 70],
    [1280, 182, 144],
  ]
  return platforms.map(([x, y, width]) => (
    <g key={x} className={cx(x < 1000 && styles.approach)}>
      <rect x={x} y={y} width={width} height="12" rx="6" style={{ fill: ink('near') }} />
      <rect
        x={x + 6}
        y={y + 1}
        width={width - 12}
        height="3"
        rx="1.5"
        style={{ fill: ink('zone') }}
        opacity="0.55"
      />
    </g>
  ))
}

// The jumps of the run, the ball at its highest, and the rope of its grapple.
function Run() {
  return (
    <>
      <g
        fill="none"
        stroke="white"
        strokeWidth="3.5"
        strokeDasharray="1 11"
        strokeLinecap="round"
        opacity="0.85"
      >
        <path className={styles.approach} d="M668 192Q760 96 872 156Q950 108 1046 176" />
        <path d="M1046 176Q1080 84 1180 78" />
      </g>
      <path d="M1180 78L1224 4" stroke="white" strokeWidth="2" opacity="0.7" />
      <circle cx="1180" cy="82" r="17" style={{ fill: ink('ball') }} />
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

// ink is a colour of the theme's scene.
const ink = (name: string) => `var(--cz-colors-scene-${name})`
