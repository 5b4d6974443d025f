import { Box, Container, chakra, Text } from '@chakra-ui/react'
import { useId } from 'react'
import { config } from '@/config'

const Path = chakra('path')
const Circle = chakra('circle')
const Rect = chakra('rect')
const Stop = chakra('stop')

// Hero is the drawn banner of every page: a run over platforms towards the cap zone. By day in light mode, by night in
// dark mode; the colours are the theme's.
export function Hero({ tall }: { tall: boolean }) {
  return (
    <Box
      as="section"
      aria-label="Banner"
      position="relative"
      overflow="hidden"
      h={tall ? { base: '180px', md: '260px' } : { base: '104px', md: '136px' }}
      bg="scene.skyBottom"
    >
      <Scene tall={tall} />
      <Container maxW="7xl" h="full" position="relative" display="flex" alignItems="center">
        <Text
          fontFamily="heading"
          fontWeight="bold"
          lineHeight="1.05"
          textStyle={tall ? { base: '2xl', md: '5xl' } : { base: 'xl', md: '3xl' }}
          color={{ _light: 'gray.950', _dark: 'white' }}
          maxW={{ base: '7rem', md: '40%' }}
        >
          {config.slogan}
        </Text>
      </Container>
    </Box>
  )
}

function Scene({ tall }: { tall: boolean }) {
  const id = useId()
  return (
    <chakra.svg
      viewBox="0 0 1440 260"
      preserveAspectRatio="xMaxYMax slice"
      position="absolute"
      inset="0"
      w="full"
      h="full"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id={`${id}sky`} x1="0" y1="0" x2="0" y2="1">
          <Stop offset="0" color="scene.skyTop" stopColor="currentColor" />
          <Stop offset="1" color="scene.skyBottom" stopColor="currentColor" />
        </linearGradient>
        <radialGradient id={`${id}glow`}>
          <Stop offset="0" color="scene.glow" stopColor="currentColor" stopOpacity="0.85" />
          <Stop offset="1" color="scene.glow" stopColor="currentColor" stopOpacity="0" />
        </radialGradient>
        <linearGradient id={`${id}zone`} x1="0" y1="1" x2="0" y2="0">
          <Stop offset="0" color="scene.zone" stopColor="currentColor" stopOpacity="0.75" />
          <Stop offset="1" color="scene.zone" stopColor="currentColor" stopOpacity="0" />
        </linearGradient>
      </defs>
      <rect width="1440" height="260" fill={`url(#${id}sky)`} />
      <Stars />
      {/* On narrow screens the sun stands clear of the slogan. */}
      <chakra.g css={tall ? { transform: { base: 'translate(150px, -20px)', lg: 'none' } } : undefined}>
        <circle cx="960" cy="150" r="190" fill={`url(#${id}glow)`} />
        <Circle cx="960" cy="150" r="46" fill="scene.sun" />
      </chakra.g>
      <Path
        fill="scene.far"
        d="M0 196l90-38 80 26 120-64 110 60 90-28 120 52 110-74 130 58 90-40 120 62 100-34 140 52 140-44v136H0z"
      />
      <Path
        fill="scene.middle"
        d="M0 224l140-34 110 22 130-40 150 46 120-26 160 34 130-46 150 40 140-28 210 44v60H0z"
      />
      {/* In a low banner the course is drawn smaller, so that all of it is in view. */}
      <chakra.g css={tall ? undefined : { transform: { md: 'translate(648px, 117px) scale(0.55)' } }}>
        <Platforms />
        <Run />
        {/* The cap zone, and its flag. */}
        <rect x="1296" y="88" width="112" height="94" fill={`url(#${id}zone)`}>
          <animate attributeName="opacity" values="1;0.55;1" dur="5s" repeatCount="indefinite" />
        </rect>
        <Path d="M1352 182V104" stroke="white" strokeWidth="4" strokeLinecap="round" />
        <Path d="M1354 106h38l-9 12 9 12h-38z" fill="scene.flag" />
      </chakra.g>
      <Path fill="scene.ground" d="M0 250q120-16 260-6t300-4 320 8 280-8 280 8v12H0z" />
    </chakra.svg>
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
    <g key={x}>
      <Rect x={x} y={y} width={width} height="12" rx="6" fill="scene.near" />
      <Rect x={x + 6} y={y + 1} width={width - 12} height="3" rx="1.5" fill="scene.zone" opacity="0.55" />
    </g>
  ))
}

// The jumps of the run, the ball at its highest, and the rope of its grapple.
function Run() {
  return (
    <>
      <Path
        d="M668 192Q760 96 872 156Q950 108 1046 176Q1080 84 1180 78"
        fill="none"
        stroke="white"
        strokeWidth="3.5"
        strokeDasharray="1 11"
        strokeLinecap="round"
        opacity="0.85"
      />
      <Path d="M1180 78L1224 4" stroke="white" strokeWidth="2" opacity="0.7" />
      <Circle cx="1180" cy="82" r="17" fill="scene.ball" />
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
    <chakra.g fill="white" opacity={{ _light: '0', _dark: '0.7' }}>
      {stars.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r={x % 3 === 0 ? 1.8 : 1.1} />
      ))}
    </chakra.g>
  )
}
