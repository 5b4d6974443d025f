import { config } from '@/config'
import { paths } from '@/routes/paths'
import { Button } from '@/ui'
import { RouteLink } from '@/ui/PageLink'

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
