import { styled } from 'styled-system/jsx'
import { config } from '@/config'
import { LoginButton } from '@/entities/player/LoginButton'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/useSession'
import { Box, Button, Container } from '@/ui'
import { ChatIcon } from '@/ui/icons'
import { RouteLink } from '@/ui/PageLink'
import { AvatarMenu } from './AvatarMenu'
import { Logo } from './Logo'
import { MobileMenu } from './MobileMenu'
import { SiteSearch } from './SiteSearch'
import { ThemeToggle } from './ThemeToggle'

const Bar = styled('header', {
  base: {
    position: 'sticky',
    zIndex: 'sticky',
    top: '0',
    h: '14',
    flexShrink: 0,
    borderBottomWidth: '1px',
    bg: 'bg.panel/90',
    backdropFilter: 'blur(10px)',
  },
})

export function Header() {
  const user = useSession()
  return (
    <Bar>
      <Container display="flex" alignItems="center" w="full" h="full" gap={{ base: '1', md: '2' }}>
        <MobileMenu />
        <Logo />
        {/* Narrow screens have it in the MobileMenu. */}
        <Box hideBelow="md" flex="1" minW="0" ms="4">
          <SiteSearch />
        </Box>
        <Button asChild variant="ghost" color="fg" px={{ base: '1.5', sm: '2.5' }} ms="auto">
          <a href={config.chatUrl} target="_blank" rel="noreferrer" aria-label="Community chat">
            <ChatIcon />
            <styled.span hideBelow="lg">Chat</styled.span>
          </a>
        </Button>
        <ThemeToggle />
        {user ? (
          <>
            <Button asChild size="sm" hideBelow="md">
              <RouteLink to={paths.recordSubmit}>Submit Record</RouteLink>
            </Button>
            <AvatarMenu user={user} />
          </>
        ) : (
          <LoginButton size="sm" />
        )}
      </Container>
    </Bar>
  )
}
