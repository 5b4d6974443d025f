import { useParams } from 'react-router'
import { MapLeaderboard } from '@/features/leaderboard/MapLeaderboard'

export function Component() {
  const { mapId = '' } = useParams()
  // Another map is another page: nothing of the one before is kept.
  return <MapLeaderboard key={mapId} mapId={mapId} />
}
