import { styled } from 'styled-system/jsx'
import { config } from '@/config'
import { paths } from '@/routes/paths'
import { Button } from '@/ui'
import { PageLink, RouteLink } from '@/ui/links'
import { Avatar } from './Avatar'

interface Props {
  player: { _id: string; name: string; skinImageUrl?: string | null; skinColor?: string | null }
  size?: number
}

/** An avatar and a name that link to the player's profile. */
export function PlayerName({ player, size = 7 }: Props) {
  return (
    <PageLink to={paths.player(player._id)} color="inherit" minW="0" maxW="full" gap="2">
      <Avatar player={player} size={size} />
      <styled.span truncate maxW="14rem">
        {player.name}
      </styled.span>
    </PageLink>
  )
}

/** Leads to the login page; its label is the game's name. */
export function LoginButton({ size }: { size: 'sm' | 'lg' }) {
  const link = <RouteLink to={paths.login}>Login with {config.game.name}</RouteLink>
  return size === 'sm' ? (
    <Button asChild size="sm" px={{ base: '2', sm: '3.5' }}>
      {link}
    </Button>
  ) : (
    <Button asChild size="lg" alignSelf={{ base: 'flex-start', md: 'center' }}>
      {link}
    </Button>
  )
}
