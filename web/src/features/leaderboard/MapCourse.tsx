import { api, type ParkourMap } from '@/api'
import Course from '@/entities/progress/Course'
import { useProgress } from '@/entities/progress/ProgressLine'
import { useSession } from '@/store/hooks'
import { leaderboardPage } from './queries'

/** The course of a map with the visitor's own best and those of the first players of its leaderboard. */
export default function MapCourse({ map }: { map: ParkourMap }) {
  const user = useSession()
  const best = useProgress(map._id, map._id, !user)?.best
  // Of the leaderboard's first page, where it was asked for.
  const { currentData } = api.endpoints.listRecords.useQueryState(leaderboardPage(map._id, 1))
  const rivals = currentData?.data.slice(1, 4).filter(({ player }) => player._id !== user?._id) ?? []
  return (
    <Course
      scale="large"
      medals={map.medalTimes}
      worldRecord={map.worldRecord?.finishTime ?? null}
      ball={best && user && { ms: best.finishTime, player: user }}
      rivals={rivals.map(({ finishTime, player }) => ({ ms: finishTime, player }))}
    />
  )
}
