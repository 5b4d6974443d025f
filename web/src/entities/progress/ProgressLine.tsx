import { t } from '@lingui/core/macro'
import { type MapProgress, type ParkourMap, useGetProgressQuery } from '@/api'
import { TimeWithMedal } from '@/entities/record/Time'
import { Flex, styled, VisuallyHidden } from '@/ui'
import { formatNumber } from '@/ui/format'
import Course from './Course'

export interface ProgressOf {
  map: Pick<ParkourMap, '_id' | 'medalTimes'>
  /** The ids of all maps of the page, joined by commas: one request has the progress on all of them. */
  maps: string
}

/** Returns the progress of the player who is logged in on a map, once it is known. */
export const useProgress = (map: string, maps: string, skip = false): MapProgress | undefined =>
  useGetProgressQuery(
    { maps },
    { skip, selectFromResult: ({ currentData }) => ({ progress: currentData?.data.find((of) => of.map === map) }) },
  ).progress

/** The own best on the course of its map, with its medal and rank. */
export default function ProgressLine({ map, maps }: ProgressOf) {
  const progress = useProgress(map._id, maps)
  if (!progress) return null
  const { best, worldRecord } = progress
  return (
    <>
      <Course scale="line" medals={map.medalTimes} worldRecord={worldRecord} ball={best && { ms: best.finishTime }} />
      {best ? (
        <Best ms={best.finishTime} medal={best.medal} rank={formatNumber(best.rank)} />
      ) : (
        <div>{progress.playedOlderVersion ? t`Older version played` : t`Not played yet`}</div>
      )}
    </>
  )
}

function Best({ rank, ...time }: Parameters<typeof TimeWithMedal>[0] & { rank: string }) {
  return (
    <Flex justify="space-between" gap="2">
      <styled.span color="fg">
        <TimeWithMedal {...time} size={4} />
      </styled.span>
      <span aria-hidden="true">{`#${rank}`}</span>
      <VisuallyHidden>{t`Rank ${rank}`}</VisuallyHidden>
    </Flex>
  )
}
