import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router'
import { type ListedRecord, type MedalTimes, type ParkourMap, useGetMapQuery, useListRecordsQuery } from '@/api'
import { Avatar } from '@/entities/player/Avatar'
import Course from '@/entities/progress/Course'
import { MedalIcon, medalName } from '@/entities/record/Medal'
import { missingText, nextMedal } from '@/entities/record/more/medalTimes'
import { formatDifference, formatTime } from '@/entities/record/raceTime'
import type { SubmissionResult } from '@/entities/record/submission'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Badge, Flex, Heading, HStack, Name, Stack, styled, Text, VisuallyHidden } from '@/ui'
import { formatNumber, isolated } from '@/ui/format'
import { TargetIcon, UploadIcon } from '@/ui/icons'
import { ButtonLink, PageLink } from '@/ui/links'
import { ShareButton } from '@/ui/more/ShareButton'
import { Confetti } from './Confetti'
import { PictureButton } from './PictureButton'
import { PointsGain } from './PointsGain'
import { leaderboardPage, rowsAround } from './queries'

const Banner = styled('section', {
  base: {
    position: 'relative',
    scrollMarginBlock: '20',
    outline: 'none',
    overflow: 'hidden',
    mb: '6',
    p: { base: '4', md: '6' },
    rounded: 'l3',
    color: 'scene.ink',
  },
})

/** The result of the submission that led to this leaderboard. */
export default function SubmissionBanner({ result, map }: { result: SubmissionResult; map: ParkourMap }) {
  const { record, personalBest, worldRecord } = result
  const user = useSession()
  // The record may be of another version of the map, which has other medal times and a leaderboard of its own.
  const isOther = record.map !== map._id
  const { currentData } = useGetMapQuery({ id: record.map }, { skip: !isOther })
  const rankedOn = isOther ? currentData?.data : map
  const { data } = useListRecordsQuery(leaderboardPage(record.map, 1))
  const players = data?.pagination.total
  const fastest = data?.data[0]
  const newMedal = rankedOn && isNewMedal(result, rankedOn.medalTimes)
  // The first navigation counts: to turn a page of the leaderboard is one, too.
  const [isReload] = useState(useNavigationType() === 'POP')
  const celebrated = personalBest && (worldRecord || newMedal)
  const isFirst = worldRecord && personalBest
  const passed = usePassed(result)
  const title = t`${formatTime(record.finishTime)} on ${isolated(map.name)}`
  const banner = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isReload) return
    banner.current?.focus({ preventScroll: true })
    banner.current?.scrollIntoView({ block: 'start' })
  }, [isReload])
  return (
    <Banner
      ref={banner}
      className="sky"
      data-first={isFirst || undefined}
      tabIndex={-1}
      aria-labelledby="submission-result"
    >
      {celebrated && !isReload && <Confetti />}
      <Flex direction={{ base: 'column', md: 'row' }} justify="space-between" columnGap="6" rowGap="2">
        <Stack gap="1.5">
          <Heading as="h2" id="submission-result" textStyle="2xl" color={isFirst ? 'first.fg' : 'inherit'}>
            {titleOf(result)}
          </Heading>
          <HStack gap="3">
            <CountedTime from={isReload || !personalBest ? null : result.previousBest} to={record.finishTime} />
            {record.medal && <MedalIcon medal={record.medal} size={12} />}
          </HStack>
          <Flex wrap="wrap" align="center" columnGap="2" rowGap="1">
            <span>{rankText(result, players)}</span>
            {newMedal && record.medal && (
              <Badge variant="solid" bg="scene.ink" color="bg">{t`New: ${medalName(record.medal)}`}</Badge>
            )}
          </Flex>
          {passed.length > 0 && <Passed players={passed} />}
          {!isReload && <PointsGain result={result} />}
        </Stack>
        <Stack as="ul" gap="1" justify="center" fontVariantNumeric="tabular-nums">
          {differences(result, rankedOn, fastest?.finishTime).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </Stack>
      </Flex>
      {rankedOn && (
        <Course
          scale="large"
          medals={rankedOn.medalTimes}
          worldRecord={worldRecord ? record.finishTime : (fastest?.finishTime ?? null)}
          ball={{ ms: record.finishTime, player: user ?? undefined, isRecord: true }}
          rivals={passed.slice(0, 3).map(({ finishTime, player }) => ({ ms: finishTime, player }))}
          // A first record comes from the start.
          from={isReload || !personalBest ? null : (result.previousBest ?? Number.POSITIVE_INFINITY)}
        />
      )}
      {isOther && (
        <Text mt="3">
          <Trans>
            Your replay is of another version of this map.{' '}
            <PageLink to={paths.leaderboardAt(record.map, record._id, result.rank)}>
              See the leaderboard of that version
            </PageLink>
          </Trans>
        </Text>
      )}
      <Flex wrap="wrap" gap="2" mt="3" colorPalette="gray" css={{ '& > *': { borderColor: 'scene.ink/40' } }}>
        {!isOther && (
          <ButtonLink to={rowLink(result, map._id)} variant="outline" preventScrollReset>
            <TargetIcon /> <Trans>See your row</Trans>
          </ButtonLink>
        )}
        <ShareButton title={title} path={paths.record(record._id)} />
        <PictureButton recordId={record._id} title={title} />
        <ButtonLink to={paths.record(record._id)} variant="outline">{t`See the record`}</ButtonLink>
        <ButtonLink to={paths.recordSubmitFor(map._id)} variant="outline">
          <UploadIcon /> <Trans>Submit another</Trans>
        </ButtonLink>
      </Flex>
      <Announcement text={`${titleOf(result)} ${formatTime(record.finishTime)}, ${rankText(result, players)}`} />
    </Banner>
  )
}

/** Returns the rows nearest below a new best that were above the player's former one, five at most. */
function usePassed({ record, rank, personalBest, previousBest, previousRank }: SubmissionResult): ListedRecord[] {
  const { currentData } = useListRecordsQuery(rowsAround(record.map, record.player), { skip: !personalBest })
  // All that are slower than a first record.
  const last = previousBest === null ? Number.POSITIVE_INFINITY : (previousRank ?? 0)
  return currentData?.data.filter((row) => row.rank && row.rank > rank && row.rank <= last) ?? []
}

/** The players who were passed, as faces. They appear when the ball has arrived. */
function Passed({ players }: { players: ListedRecord[] }) {
  return (
    <HStack as="ul" gap="1" aria-label={t`Players passed`} animation="fade-in 0.5s 1.4s backwards">
      {players.map(({ _id, player }) => (
        <li key={_id}>
          <PageLink to={paths.player(player._id)} title={player.name} display="block">
            <Avatar player={player} size={9} />
            <VisuallyHidden>
              <Name>{player.name}</Name>
            </VisuallyHidden>
          </PageLink>
        </li>
      ))}
    </HStack>
  )
}

/** A finish time whose digits roll from those of another one. */
function CountedTime({ from, to }: { from: number | null; to: number }) {
  const text = formatTime(to)
  const before = formatTime(from ?? to)
  return (
    <Text
      as="div"
      fontFamily="heading"
      fontWeight="bold"
      lineHeight="1"
      fontSize={{ base: '5xl', md: '6xl' }}
      htmlTranslate="no"
    >
      <VisuallyHidden>{text}</VisuallyHidden>
      <Flex as="span" aria-hidden="true" fontVariantNumeric="tabular-nums">
        {Array.from(text, (char, i) =>
          /[0-9]/.test(char) ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a digit is known by its place
            <Digit key={i} style={{ '--to': `-${char}em`, '--from': `-${before[i] ?? char}em` } as CSSProperties} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <span key={i}>{char}</span>
          ),
        )}
      </Flex>
    </Text>
  )
}

// All digits below each other, of which one is seen.
const Digit = styled('span', {
  base: {
    display: 'inline-block',
    h: '1em',
    overflow: 'clip',
    textAlign: 'center',
    _before: {
      content: '"0\\a 1\\a 2\\a 3\\a 4\\a 5\\a 6\\a 7\\a 8\\a 9"',
      display: 'block',
      whiteSpace: 'pre',
      translate: '0 var(--to)',
      animation: 'roll 1.2s 0.5s cubic-bezier(0.3, 0, 0.2, 1) backwards',
    },
  },
})

// A status that is in the page from the beginning is not announced.
function Announcement({ text }: { text: string }) {
  const [shown, setShown] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setShown(text), 100)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <styled.p role="status" srOnly>
      {shown}
    </styled.p>
  )
}

function titleOf({ worldRecord, personalBest, previousBest }: SubmissionResult): string {
  if (worldRecord && personalBest) return t`World record!`
  if (previousBest === null) return t`Your first record on this map`
  return personalBest ? t`New personal best` : t`Record saved`
}

/** Says the rank, and how many players were passed; of how many players, once that is known. */
function rankText(result: SubmissionResult, players?: number): string {
  const { previousRank, personalBest, previousBest } = result
  const rank = formatNumber(result.rank)
  const total = players === undefined ? '' : formatNumber(players)
  if (!personalBest)
    return total ? t`Rank ${rank} of ${total}, with your faster best` : t`Rank ${rank}, with your faster best`
  const rankBefore = previousRank ?? (previousBest === null && players ? players : result.rank)
  const passed = rankBefore - result.rank
  if (passed <= 0) return total ? t`Rank ${rank} of ${total}` : t`Rank ${rank}`
  if (!total) return plural(passed, { one: `Rank ${rank}, # player passed`, other: `Rank ${rank}, # players passed` })
  return plural(passed, {
    one: `Rank ${rank} of ${total}, # player passed`,
    other: `Rank ${rank} of ${total}, # players passed`,
  })
}

/** Returns the page with the row of the player, whose best may be another record. */
const rowLink = ({ record, rank, personalBest }: SubmissionResult, mapId: string): string =>
  personalBest ? paths.leaderboardAt(mapId, record._id, rank) : paths.leaderboardAroundMe(mapId)

/** Reports whether the previous best was too slow for the medal of the record. */
function isNewMedal({ record: { medal }, previousBest }: SubmissionResult, times: MedalTimes): boolean {
  const limit = medal && times[medal]
  return limit !== null && (previousBest === null || previousBest > limit)
}

/** The differences to the previous best, to the world record, and to the next medal. */
function differences(
  { record, previousBest, worldRecord, equalsWorldRecord }: SubmissionResult,
  map: ParkourMap | undefined,
  fastest: number | undefined,
): string[] {
  const lines: string[] = []
  const ms = record.finishTime
  if (previousBest !== null) {
    const difference = formatDifference(ms - previousBest)
    lines.push(t`${difference} to your previous best`)
  }
  if (equalsWorldRecord) lines.push(t`Equals the world record`)
  else if (!worldRecord && fastest !== undefined) {
    const difference = formatDifference(ms - fastest)
    lines.push(t`${difference} to the world record`)
  }
  const next = map && nextMedal(record.medal, map.medalTimes)
  if (next) lines.push(missingText(formatTime(ms - next.ms), next.medal))
  return lines
}
