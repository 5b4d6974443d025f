import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router'
import { type MedalTimes, type ParkourMap, useGetMapQuery, useListRecordsQuery } from '@/api'
import { MedalIcon, medalName, missingText, nextMedal } from '@/entities/record/Medal'
import { formatDifference, formatTime } from '@/entities/record/raceTime'
import type { SubmissionResult } from '@/entities/record/submission'
import { paths } from '@/routes/paths'
import { Badge, Flex, Heading, HStack, Stack, styled, Text } from '@/ui'
import { formatNumber } from '@/ui/format'
import { TargetIcon, UploadIcon } from '@/ui/icons'
import { ButtonLink, PageLink } from '@/ui/links'
import { ShareButton } from '@/ui/ShareButton'
import { Confetti } from './Confetti'
import { PointsGain } from './PointsGain'
import { leaderboardPage } from './queries'

const Banner = styled('section', {
  base: {
    position: 'relative',
    scrollMarginBlock: '20',
    outline: 'none',
    overflow: 'hidden',
    mb: '6',
    p: { base: '5', md: '8' },
    borderWidth: '1px',
    borderColor: 'brand.border',
    rounded: 'l3',
    bg: 'brand.subtle',
  },
})

/** The result of the submission that led to this leaderboard. */
export default function SubmissionBanner({ result, map }: { result: SubmissionResult; map: ParkourMap }) {
  const { record, personalBest, worldRecord } = result
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
  const banner = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isReload) return
    banner.current?.focus({ preventScroll: true })
    banner.current?.scrollIntoView({ block: 'nearest' })
  }, [isReload])
  return (
    <Banner ref={banner} tabIndex={-1} aria-labelledby="submission-result">
      {celebrated && !isReload && <Confetti />}
      <Flex direction={{ base: 'column', md: 'row' }} justify="space-between" gap="6">
        <Stack gap="2">
          <Heading as="h2" id="submission-result" textStyle="lg" color="brand.fg">
            {titleOf(result)}
          </Heading>
          <HStack gap="3">
            <Text fontFamily="heading" fontWeight="bold" lineHeight="1" fontSize={{ base: '5xl', md: '6xl' }}>
              {formatTime(record.finishTime)}
            </Text>
            {record.medal && <MedalIcon medal={record.medal} size={12} />}
          </HStack>
          <Text>
            <span>{rankText(result, players)}</span>
            {newMedal && record.medal && (
              <Badge colorPalette="brand" variant="solid" ms="2">
                <Trans>New: {medalName(record.medal)}</Trans>
              </Badge>
            )}
          </Text>
          {!isReload && <PointsGain result={result} />}
        </Stack>
        <Stack as="ul" gap="1" justify="center" fontVariantNumeric="tabular-nums">
          {differences(result, rankedOn, fastest?.finishTime).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </Stack>
      </Flex>
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
      <Flex wrap="wrap" gap="3" mt="5">
        {!isOther && (
          <ButtonLink to={rowLink(result, map._id)} variant="outline" preventScrollReset>
            <TargetIcon /> <Trans>See your row</Trans>
          </ButtonLink>
        )}
        <ShareButton title={t`${formatTime(record.finishTime)} on ${map.name}`} path={paths.record(record._id)} />
        <ButtonLink to={paths.record(record._id)} variant="outline">
          <Trans>See the record</Trans>
        </ButtonLink>
        <ButtonLink to={paths.recordSubmitFor(map._id)} variant="outline">
          <UploadIcon /> <Trans>Submit another</Trans>
        </ButtonLink>
      </Flex>
      <Announcement text={`${titleOf(result)} ${formatTime(record.finishTime)}, ${rankText(result, players)}`} />
    </Banner>
  )
}

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
