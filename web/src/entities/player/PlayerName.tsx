import type { PlayerRef } from '@/api'
import { paths } from '@/routes/paths'
import { Name, styled } from '@/ui'
import { PageLink } from '@/ui/links'
import { Avatar } from './Avatar'

/** An avatar and a name that link to the player's profile. */
export function PlayerName({ player, size = 7 }: { player: PlayerRef; size?: number }) {
  return (
    <PageLink to={paths.player(player._id)} display="flex" w="fit-content" color="inherit" minW="0" maxW="full" gap="2">
      <Avatar player={player} size={size} />
      <styled.span maxW="14rem" minW="0" overflowWrap="anywhere">
        <Name>{player.name}</Name>
      </styled.span>
    </PageLink>
  )
}
