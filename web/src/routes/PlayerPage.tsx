import { useParams } from 'react-router'
import { PlayerProfile } from '@/features/players/PlayerProfile'

export function Component() {
  const { playerId = '' } = useParams()
  // Another player is another page: nothing of the one before is kept.
  return <PlayerProfile key={playerId} playerId={playerId} />
}
