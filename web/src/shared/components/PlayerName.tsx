import { Avatar } from './Avatar'
import styles from './PlayerName.module.css'
import { TextLink } from './TextLink'

interface Props {
  player: { _id: string; name: string; skinImageUrl?: string | null; skinColor?: string | null }
  size?: number
}

// PlayerName is an avatar and a name that lead to the player's profile.
export function PlayerName({ player, size = 7 }: Props) {
  return (
    <span className={styles.player}>
      <TextLink to={`/player/${player._id}`} look="plain">
        <Avatar player={player} size={size} />
        <span className={styles.name}>{player.name}</span>
      </TextLink>
    </span>
  )
}
