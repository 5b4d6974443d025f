import { useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { type ParkourMap, useListRecordsQuery } from '@/api'
import { MEDAL_NAMES, MEDALS, MedalIcon, nextMedal } from '@/entities/record/Medal'
import { formatDifference, formatTime } from '@/entities/record/raceTime'
import { type SubmissionResult, submittedOf } from '@/entities/record/submission'
import { paths } from '@/routes/paths'
import { Badge, Flex, Heading, HStack, Stack, styled, Text } from '@/ui'
import { countText } from '@/ui/format'
import { UploadIcon } from '@/ui/icons'
import { ButtonLink, PageLink } from '@/ui/links'
import { ShareButton } from '@/ui/ShareButton'
import { Confetti } from './Confetti'
import { leaderboardPage } from './queries'

const Banner = styled('section', {
  base: {
    position: 'relative',
    overflow: 'hidden',
    mb: '6',
    p: { base: '5', md: '8' },
    borderWidth: '1px',
    borderColor: 'brand.border',
    rounded: 'l3',
    bg: 'brand.subtle',
  },
})

/** The result of the submission that led to this leaderboard. It is absent after any other navigation. */
export function SubmissionBanner({ map }: { map: ParkourMap }) {
  const { state } = useLocation()
  // It stays while the player turns the pages of the leaderboard.
  const [result] = useState(() => submittedOf(state))
  return result && <Result result={result} map={map} />
}

function Result({ result, map }: { result: SubmissionResult; map: ParkourMap }) {
  const { record, personalBest, worldRecord } = result
  const { data } = useListRecordsQuery(leaderboardPage(map._id, 1))
  const players = data?.pagination.total
  const fastest = data?.data[0]
  const newMedal = isNewMedal(result)
  const isReload = useNavigationType() === 'POP'
  const celebrated = personalBest && (worldRecord || newMedal)
  return (
    <Banner aria-labelledby="submission-result">
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
            {rankText(result, players)}
            {newMedal && record.medal && (
              <Badge colorPalette="brand" variant="solid" ms="2">
                New: {MEDAL_NAMES[record.medal]}
              </Badge>
            )}
          </Text>
        </Stack>
        <Stack as="ul" gap="1" justify="center" fontVariantNumeric="tabular-nums">
          {differences(result, map, fastest?.finishTime).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </Stack>
      </Flex>
      {record.map !== map._id && (
        <Text mt="3">
          Your replay is of another version of this map.{' '}
          <PageLink to={paths.leaderboardAt(record.map, record._id, 1)}>See the leaderboard of that version</PageLink>
        </Text>
      )}
      <Flex wrap="wrap" gap="3" mt="5">
        <ShareButton title={`${formatTime(record.finishTime)} on ${map.name}`} path={paths.record(record._id)} />
        <ButtonLink to={paths.record(record._id)} variant="outline">
          See the record
        </ButtonLink>
        <ButtonLink to={paths.recordSubmitFor(map._id)} variant="outline">
          <UploadIcon /> Submit another
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
  if (worldRecord && personalBest) return 'World record!'
  if (previousBest === null) return 'Your first record on this map'
  return personalBest ? 'New personal best' : 'Record saved'
}

function rankText({ rank, previousRank, personalBest, previousBest }: SubmissionResult, players?: number): string {
  const place = players === undefined ? `Rank ${rank}` : `Rank ${rank} of ${players.toLocaleString('en-GB')}`
  if (!personalBest) return `${place}, with your faster best`
  const passed = previousRank !== null ? previousRank - rank : previousBest === null && players ? players - rank : 0
  return passed > 0 ? `${place}, ${countText(passed, 'player')} passed` : place
}

const isNewMedal = ({ record, previousMedal, previousBest }: SubmissionResult): boolean => {
  if (!record.medal) return false
  if (previousBest === null) return true
  return previousMedal !== null && MEDALS.indexOf(record.medal) < MEDALS.indexOf(previousMedal)
}

/** The differences to the previous best, to the world record, and to the next medal. */
function differences(
  { record, previousBest, worldRecord, equalsWorldRecord }: SubmissionResult,
  map: ParkourMap,
  fastest: number | undefined,
): string[] {
  const lines: string[] = []
  const ms = record.finishTime
  if (previousBest !== null) lines.push(`${formatDifference(ms - previousBest)} to your previous best`)
  if (equalsWorldRecord) lines.push('Equals the world record')
  else if (!worldRecord && fastest !== undefined) lines.push(`${formatDifference(ms - fastest)} to the world record`)
  const next = nextMedal(record.medal, map.medalTimes)
  if (next) lines.push(`${formatTime(ms - next.ms)} missing to the ${MEDAL_NAMES[next.medal].toLowerCase()}`)
  return lines
}
