import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type MapProgress, type ProgressBest, useGetProgressQuery } from '@/api'
import { MedalIcon, missingText, timeOfMedalText } from '@/entities/record/Medal'
import { formatTime } from '@/entities/record/raceTime'
import { TimeWithMedal } from '@/entities/record/Time'
import { type Elements, Flex, HStack, styled, VisuallyHidden } from '@/ui'
import { formatNumber, formatSeconds } from '@/ui/format'
import { TrophyIcon } from '@/ui/icons'

export interface ProgressOf {
  map: string
  /** The ids of all maps of the page, joined by commas: one request has the progress on all of them. */
  maps: string
}

/** The own best with its medal and rank, and what is missing to the next medal and to the world record. */
export default function ProgressLines({ map, maps }: ProgressOf) {
  const { progress } = useGetProgressQuery(
    { maps },
    { selectFromResult: ({ currentData }) => ({ progress: currentData?.data.find((of) => of.map === map) }) },
  )
  if (!progress) return null
  return progress.best ? <Played progress={progress} best={progress.best} /> : <Unplayed progress={progress} />
}

function Played({ progress, best }: { progress: MapProgress; best: ProgressBest }) {
  const { toWorldRecord } = best
  const rank = formatNumber(best.rank)
  return (
    <>
      <HStack gap="1.5" flexWrap="wrap" color="fg">
        <styled.span fontWeight="semibold" color="brand.fg">
          <Trans>You</Trans>
        </styled.span>
        <TimeWithMedal ms={best.finishTime} medal={best.medal} size={4} />
        <styled.span color="fg.muted" aria-hidden="true">
          {`#${rank}`}
        </styled.span>
        <VisuallyHidden>
          <Trans>Rank {rank}</Trans>
        </VisuallyHidden>
      </HStack>
      <Flex wrap="wrap" columnGap="2">
        <ToMedal progress={progress} best={best} />
        <Missing
          icon={<TrophyIcon size={4} />}
          short={toWorldRecord === 0 && best.rank === 1 ? t`Yours` : secondsLess(toWorldRecord)}
          sentence={worldRecordText(toWorldRecord)}
        />
      </Flex>
    </>
  )
}

function ToMedal({ progress: { nextMedal }, best }: { progress: MapProgress; best: ProgressBest }) {
  if (!nextMedal) return best.medal === null && <Trans>No medals</Trans>
  const toNextMedal = best.toNextMedal ?? 0
  return (
    <Missing
      icon={<MedalIcon medal={nextMedal.medal} size={4} />}
      short={secondsLess(toNextMedal)}
      sentence={missingText(formatTime(toNextMedal), nextMedal.medal)}
    />
  )
}

function Unplayed({ progress: { nextMedal, playedOlderVersion } }: { progress: MapProgress }) {
  return (
    <>
      <div>{playedOlderVersion ? t`Older version played` : t`Not played yet`}</div>
      {nextMedal ? (
        <Missing
          icon={<MedalIcon medal={nextMedal.medal} size={4} />}
          short={formatTime(nextMedal.finishTime)}
          sentence={timeOfMedalText(formatTime(nextMedal.finishTime), nextMedal.medal)}
        />
      ) : (
        <Trans>No medals</Trans>
      )}
    </>
  )
}

/** A short text beside an icon, for screen readers and as its title a sentence. */
function Missing({ icon, short, sentence }: { icon: Elements; short: string; sentence: string }) {
  return (
    <HStack as="span" display="inline-flex" gap="1" title={sentence} whiteSpace="nowrap">
      <HStack as="span" gap="1" fontVariantNumeric="tabular-nums" aria-hidden="true">
        {icon}
        <span>{short}</span>
      </HStack>
      <VisuallyHidden>{sentence}</VisuallyHidden>
    </HStack>
  )
}

/** Returns by how much a time has to be less, such as '-0.73 s'. */
function secondsLess(ms: number): string {
  const seconds = formatSeconds(ms)
  return ms > 0 ? `-${seconds}` : seconds
}

function worldRecordText(ms: number): string {
  if (ms === 0) return t`Your time is the world record`
  const time = formatTime(ms)
  return t`${time} short of the world record`
}
