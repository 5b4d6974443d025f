import { useParams } from 'react-router'
import { PlayerProfile } from '@/features/players/PlayerProfile'

export default function PlayerPage() {
  const { playerId = '' } = useParams()
  // Another player begins with new state.
  return <PlayerProfile key={playerId} playerId={playerId} />
}
