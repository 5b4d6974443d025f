import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { CSSProperties, ReactElement } from 'react'
import type { MedalTimes } from '@/api'
import { Avatar } from '@/entities/player/Avatar'
import type { Medal } from '@/entities/record/Medal'
import { missingText, timeOfMedalText } from '@/entities/record/more/medalTimes'
import { formatTime } from '@/entities/record/raceTime'
import { css, styled } from '@/ui'
import { jumpsTo, placeOf, positionOf, type Stop, stopsOf } from './courseStops'

type Player = Parameters<typeof Avatar>[0]['player']

interface Ball {
  ms: number
  /** Without one the ball has the site's colour. */
  player?: Player
}

interface Props {
  /** How large it is drawn. */
  scale: 'large' | 'medium' | 'line'
  medals: Partial<MedalTimes>
  worldRecord: number | null
  /** The time that the course is shown for, and whether it is the visitor's best or that of a record's page. */
  ball?: (Ball & { isRecord?: boolean }) | null | undefined
  /** The times of others. */
  rivals?: readonly Ball[]
  /** The time that the ball comes from, where it moves. */
  from?: number | null
}

// How the scales are drawn, in pixels. The width is that of what is around it.
const SCALES = {
  large: { height: 204, ball: 28, stop: 36, flag: 42, shape: { bottom: 162, rise: 94, jump: 16 } },
  medium: { height: 156, ball: 22, stop: 32, flag: 36, shape: { bottom: 118, rise: 68, jump: 12 } },
  line: { height: 26, ball: 9, stop: 12, flag: 13, shape: { bottom: 23, rise: 8, jump: 5 } },
}
type Scale = (typeof SCALES)[keyof typeof SCALES]

/**
 * A time on its way to the world record: a platform for each medal, the flag at the world record, the ball where the time
 * is, and faint balls of others. Screen readers have it as one sentence. Without stops nothing is shown.
 */
export default function Course({ scale, medals, worldRecord, ball, rivals = [], from = null }: Props) {
  const stops = stopsOf(medals, worldRecord)
  if (stops.length === 0) return null
  const text = courseText(stops, ball)
  const drawn = SCALES[scale]
  const labelled = scale !== 'line'
  const place = ball ? placeOf(ball.ms, stops) : undefined
  const start = from === null ? null : placeOf(from, stops)
  return (
    <Frame role="img" aria-label={text} title={labelled ? undefined : text} labelled={labelled}>
      <svg className={styles.drawing} width="100%" height={drawn.height} aria-hidden="true">
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the frame has the text */}
        <svg width="100%" height={drawn.height} viewBox={`0 0 100 ${drawn.height}`} preserveAspectRatio="none">
          <path className={styles.way} d={jumpsTo(stops.length, stops.length, drawn.shape)} opacity={0.4} />
          {place !== undefined && <path className={styles.way} d={jumpsTo(place, stops.length, drawn.shape)} />}
        </svg>
        {labelled && <circle cx="0" cy={drawn.shape.bottom} r="3.5" fill={color('scene-ink')} opacity="0.5" />}
        {stops.map((stop, i) => (
          <Platform
            key={stop.ms}
            stop={stop}
            at={positionOf(i + 1, stops.length, drawn.shape)}
            drawn={drawn}
            labelled={labelled}
            // A stop that the moving ball passes is drawn when it is there.
            delay={start !== null && place !== undefined && i + 1 > start && i + 1 <= place ? i + 1 - start : null}
          />
        ))}
      </svg>
      {rivals.map((rival, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rivals may have the same time and name
        <Marker key={i} ball={rival} place={placeOf(rival.ms, stops)} count={stops.length} drawn={drawn} faint />
      ))}
      {ball && place !== undefined && (
        <Marker ball={ball} place={place} start={start} count={stops.length} drawn={drawn}>
          {labelled && place < stops.length && <Label htmlTranslate="no">{formatTime(ball.ms)}</Label>}
        </Marker>
      )}
    </Frame>
  )
}

/** Returns the times of a course as a sentence: from the slowest to the fastest, and what is missing to the next one. */
function courseText(stops: readonly Stop[], ball: Props['ball']): string {
  const list = (texts: string[]) => new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(texts)
  const marks = list(stops.map(markText))
  if (!ball) return t`The course: ${marks}.`
  const time = formatTime(ball.ms)
  const own = ball.isRecord ? t`This record is at ${time}` : t`Your best is at ${time}`
  const missing = list([own, ...missingTexts(ball.ms, stops)])
  return t`${missing}. The course: ${marks}.`
}

function markText({ ms, medal, isWorldRecord }: Stop): string {
  const time = formatTime(ms)
  if (!medal) return t`world record at ${time}`
  const ofMedal = timeOfMedalText(time, medal)
  return isWorldRecord ? t`${ofMedal}, which is the world record` : ofMedal
}

function missingTexts(ms: number, stops: readonly Stop[]): string[] {
  const next = stops.find((stop) => stop.medal && stop.ms < ms)
  const worldRecord = stops.find(({ isWorldRecord }) => isWorldRecord)
  const texts: string[] = []
  if (next?.medal) texts.push(missingText(formatTime(ms - next.ms), next.medal))
  if (worldRecord && worldRecord.ms < ms) {
    const time = formatTime(ms - worldRecord.ms)
    texts.push(t`${time} short of the world record`)
  } else if (worldRecord) texts.push(t`as fast as the world record`)
  return texts
}

const color = (name: string) => `var(--chakra-colors-${name})`
const SYMBOLS: Record<Medal, string> = { author: '★', gold: '1', silver: '2', bronze: '3' }
// How long a moving ball takes from stop to stop, and when it starts.
const STEP_S = 0.42
const START_S = 0.5

interface PlatformProps {
  stop: Stop
  at: { x: number; y: number }
  drawn: Scale
  labelled: boolean
  /** How many stops the moving ball passes before this one. */
  delay: number | null
}

function Platform({ stop: { ms, medal, isWorldRecord }, at, drawn, labelled, delay }: PlatformProps) {
  const fill = color(medal ? `medal-${medal}` : 'scene-zone')
  const thick = labelled ? 7 : 3
  const animationDelay = `${START_S + (delay ?? 0) * STEP_S}s`
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the frame has the text
    <svg x={`${at.x}%`} y={at.y} className={styles.overflow}>
      {labelled && isWorldRecord && (
        <circle cy={-drawn.flag * 0.7} r={drawn.flag * 0.85} fill={color('scene-sun')} opacity="0.4" />
      )}
      <rect x={-drawn.stop / 2} width={drawn.stop} height={thick} rx={thick / 2} fill={fill} />
      {isWorldRecord && (
        // Beside a ball that stands on the platform.
        <g transform={`translate(${drawn.stop / 2 - 3} 0)`}>
          <g className={delay === null ? undefined : styles.planted} style={{ animationDelay }}>
            <path d={`M0 0V${-drawn.flag}`} stroke={color('scene-ink')} strokeWidth={labelled ? 3 : 1.5} />
            <path d={flagPath(drawn.flag)} fill={color('sun-400')} />
          </g>
        </g>
      )}
      {labelled && (
        <>
          {medal && (
            <g className={delay === null ? undefined : styles.passed} style={{ animationDelay }}>
              <circle cy="20" r="8" fill={fill} />
              <text y="20.5" className={styles.symbol}>
                {SYMBOLS[medal]}
              </text>
            </g>
          )}
          <text y={medal ? 41 : 24} className={styles.time}>
            {formatTime(ms)}
          </text>
        </>
      )}
    </svg>
  )
}

const flagPath = (height: number) =>
  `M0 ${-height}h${height * 0.6}l${-height * 0.14} ${height * 0.19}l${height * 0.14} ${height * 0.19}h${-height * 0.6}z`

interface MarkerProps {
  ball: Ball
  place: number
  /** The place from which the ball moves. */
  start?: number | null
  count: number
  drawn: Scale
  faint?: boolean
  children?: ReactElement | false
}

/** A ball. One that moves jumps from stop to stop, and looks as one that does not when it has arrived. */
function Marker({ ball: { player }, place, start = null, count, drawn, faint = false, children }: MarkerProps) {
  const level = (at: number) => positionOf(at, count, { ...drawn.shape, jump: 0 })
  const [to, from] = [level(place), level(start ?? place)]
  const height = to.y - positionOf(place, count, drawn.shape).y
  const moves = start !== null && start !== place
  const way: CSSProperties = {
    left: `${to.x}%`,
    top: to.y,
    ...(moves && {
      '--from-x': `${from.x}%`,
      '--from-y': `${from.y}px`,
      animationDuration: `${Math.abs(place - start) * STEP_S}s`,
      animationDelay: `${START_S}s`,
    }),
  }
  const jump: CSSProperties = {
    translate: `0 ${-height}px`,
    ...(moves && {
      '--jump': `${-drawn.shape.jump}px`,
      animationDuration: `${STEP_S}s`,
      animationDelay: `${START_S - (start % 1) * STEP_S}s`,
      animationIterationCount: place - Math.floor(start),
    }),
  }
  return (
    <Way style={way} moves={moves} faint={faint} aria-hidden="true">
      <Jump style={jump} moves={moves}>
        {children}
        {player ? (
          <Avatar player={player} size={(faint ? drawn.ball * 0.7 : drawn.ball) / 4} />
        ) : (
          <span className={styles.ball} style={{ width: drawn.ball, height: drawn.ball }} />
        )}
      </Jump>
    </Way>
  )
}

const Frame = styled('div', {
  base: { position: 'relative' },
  variants: {
    labelled: { true: { ms: { base: '5', sm: '8' }, me: { base: '10', sm: '12' } }, false: { mx: '2' } },
  },
})

const Way = styled('span', {
  base: { position: 'absolute', w: '0', h: '0' },
  variants: {
    faint: { true: { opacity: 0.5 } },
    moves: { true: { animationName: 'courseWay', animationTimingFunction: 'linear', animationFillMode: 'backwards' } },
  },
})

const Jump = styled('span', {
  base: {
    position: 'absolute',
    bottom: '0',
    insetInlineStart: '0',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    w: '0',
  },
  variants: { moves: { true: { animationName: 'courseJump' } } },
})

const Label = styled('span', {
  base: {
    mb: '1',
    px: '1.5',
    rounded: 'full',
    bg: 'fg',
    color: 'bg',
    fontFamily: 'heading',
    fontWeight: 'bold',
    fontSize: '13px',
    lineHeight: '1.4',
    whiteSpace: 'nowrap',
  },
})

const styles = {
  drawing: css({ display: 'block', overflow: 'visible' }),
  overflow: css({ overflow: 'visible' }),
  way: css({
    fill: 'none',
    stroke: 'scene.ink',
    strokeWidth: '2.5px',
    strokeDasharray: '0.1 7',
    strokeLinecap: 'round',
    vectorEffect: 'non-scaling-stroke',
  }),
  time: css({
    fill: 'scene.ink',
    fontFamily: 'heading',
    fontWeight: '600',
    fontSize: { base: '12px', sm: '13px' },
    textAnchor: 'middle',
  }),
  symbol: css({
    fill: 'bg.panel',
    fontFamily: 'heading',
    fontWeight: 'bold',
    fontSize: '11px',
    textAnchor: 'middle',
    dominantBaseline: 'central',
  }),
  ball: css({ rounded: 'full', bg: 'scene.ball', boxShadow: 'inset -1px -2px 0 rgb(0 0 0 / 0.2)' }),
  planted: css({ animation: 'coursePlanted 0.5s backwards', transformOrigin: 'bottom', transformBox: 'fill-box' }),
  passed: css({ animation: 'coursePassed 0.5s backwards', transformOrigin: 'center', transformBox: 'fill-box' }),
}
