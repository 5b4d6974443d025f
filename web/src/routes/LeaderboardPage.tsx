import { useLocation, useParams } from 'react-router'
import { submittedOf } from '@/entities/record/recordSubmitted'
import { MapLeaderboard } from '@/features/leaderboard/MapLeaderboard'

export default function LeaderboardPage() {
  const { mapId = '' } = useParams()
  const submitted = submittedOf(useLocation().state)
  // Another map, or another submission, begins with new state.
  return <MapLeaderboard key={`${mapId} ${submitted?.record._id}`} mapId={mapId} />
}
